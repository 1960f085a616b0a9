/* A program as users of libvmaf write them. Scores a few frames that it makes itself, writes them
 * as y4m, so that others can score them, and a report, and prints the pooled scores. Valid C99 and
 * C++. */
#include <libvmaf.h>
#include <libvmaf/libvmaf.h>
#include <libvmaf/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if VMAF_API_VERSION_MAJOR != 3
#error "not the interface of libvmaf 3"
#endif

enum { kWidth = 96, kHeight = 64, kFrames = 4 };

static void check(int error, const char* what) {
  if (error == 0) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

static FILE* open_y4m(const char* path) {
  FILE* file = fopen(path, "wb");
  check(file == NULL, path);
  fprintf(file, "YUV4MPEG2 W%d H%d F25:1 C420jpeg\n", kWidth, kHeight);
  return file;
}

/* A slope that moves, with grain; the distorted one has coarser steps. */
static unsigned char sample(unsigned plane, unsigned x, unsigned y, int frame, int distorted) {
  const unsigned grain = (x * 7919u + y * 104729u + (unsigned)frame * 1299709u) % 23u;
  const unsigned value = (x * 2u + y * 3u + (unsigned)frame * 5u + plane * 40u) % 200u + grain;
  return (unsigned char)(distorted ? value / 24u * 24u : value);
}

static void make_picture(VmafPicture* picture, FILE* y4m, int frame, int distorted) {
  unsigned plane, x, y;
  check(vmaf_picture_alloc(picture, VMAF_PIX_FMT_YUV420P, 8, kWidth, kHeight),
        "vmaf_picture_alloc");
  fputs("FRAME\n", y4m);
  for (plane = 0; plane < 3; ++plane) {
    for (y = 0; y < picture->h[plane]; ++y) {
      unsigned char* row =
          (unsigned char*)picture->data[plane] + (ptrdiff_t)y * picture->stride[plane];
      for (x = 0; x < picture->w[plane]; ++x) row[x] = sample(plane, x, y, frame, distorted);
      fwrite(row, 1, picture->w[plane], y4m);
    }
  }
}

static void submit_frames(VmafContext* vmaf, FILE* reference_y4m, FILE* distorted_y4m) {
  int frame;
  for (frame = 0; frame < kFrames; ++frame) {
    VmafPicture reference, distorted;
    make_picture(&reference, reference_y4m, frame, 0);
    make_picture(&distorted, distorted_y4m, frame, 1);
    check(vmaf_read_pictures(vmaf, &reference, &distorted, (unsigned)frame), "vmaf_read_pictures");
  }
  check(vmaf_read_pictures(vmaf, NULL, NULL, 0), "flush");
}

int main(int argc, char** argv) {
  VmafConfiguration configuration;
  VmafModelConfig model_configuration;
  VmafContext* vmaf = NULL;
  VmafModel* model = NULL;
  VmafFeatureDictionary* options = NULL;
  FILE *reference, *distorted;
  double score, psnr;
  if (argc != 4) {
    fprintf(stderr, "usage: %s REFERENCE.y4m DISTORTED.y4m REPORT.json\n", argv[0]);
    return 2;
  }
  memset(&configuration, 0, sizeof configuration);
  configuration.log_level = VMAF_LOG_LEVEL_WARNING;
  configuration.n_threads = 2;
  memset(&model_configuration, 0, sizeof model_configuration);
  model_configuration.name = "vmaf";

  check(vmaf_init(&vmaf, configuration), "vmaf_init");
  check(vmaf_model_load(&model, &model_configuration, "vmaf_v0.6.1"), "vmaf_model_load");
  check(vmaf_use_features_from_model(vmaf, model), "vmaf_use_features_from_model");
  check(vmaf_feature_dictionary_set(&options, "enable_chroma", "false"), "feature option");
  check(vmaf_use_feature(vmaf, "psnr", options), "vmaf_use_feature");

  reference = open_y4m(argv[1]);
  distorted = open_y4m(argv[2]);
  submit_frames(vmaf, reference, distorted);
  check(fclose(reference) | fclose(distorted), "writing y4m");

  check(vmaf_score_pooled(vmaf, model, VMAF_POOL_METHOD_MEAN, &score, 0, kFrames - 1),
        "vmaf_score_pooled");
  check(vmaf_feature_score_pooled(vmaf, "psnr_y", VMAF_POOL_METHOD_MEAN, &psnr, 0, kFrames - 1),
        "vmaf_feature_score_pooled");
  check(vmaf_write_output(vmaf, argv[3], VMAF_OUTPUT_FORMAT_JSON), "vmaf_write_output");
  check(vmaf_close(vmaf), "vmaf_close");
  vmaf_model_destroy(model);
  printf("vmaf %.17g psnr_y %.17g\n", score, psnr);
  return 0;
}
