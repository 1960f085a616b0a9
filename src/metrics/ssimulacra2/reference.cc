// The definition of the metric. Everything up to the errors of a pixel is float. `fused` and
// `recursion` are a product and a sum that are rounded once. The roundings are those of the public
// implementation on machines that have such an instruction (all since 2013), because they reach the
// score: where a picture is flat, the constant in SSIM's quotient is small enough for the last bits
// of the blurs to show (docs/metrics/ssimulacra2.md).
//
// Errors of a row are summed as doubles in 16 interleaved partial sums (column modulo 16); these
// are added pairwise (0 with 8, 1 with 9, ...; then 0 with 4, ...), and rows in order.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "metrics/ssimulacra2/arithmetic.h"
#include "metrics/ssimulacra2/definition.h"

namespace vmafx::ssimulacra2 {
namespace {

struct Plane {
  Plane(int w, int h)
      : width(w), height(h), samples(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  float* row(int y) {
    return samples.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }
  const float* row(int y) const {
    return samples.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
  }

  int width;
  int height;
  std::vector<float> samples;
};

using Image = std::vector<Plane>;

Image make_image(int width, int height) { return Image(3, Plane(width, height)); }

float step(float a, float b, float c) {
  return static_cast<float>(
      recursion(static_cast<double>(a), static_cast<double>(b), static_cast<double>(c)));
}

// From samples to light.

template <class Sample>
int chroma_at(const Picture& picture, int plane, int x, int y) {
  if (picture.format().chroma == Chroma::k400) return 0;
  const ChromaSpacing spacing = chroma_spacing(picture.format().chroma);
  const Taps across = taps_across(x, spacing.x);
  const Taps down = taps_down(y, spacing.y);
  int value = 0;
  for (int j = 0; j < 4; ++j) {
    const Sample* row =
        picture.row<Sample>(plane, std::clamp(down.first + j, 0, picture.height(plane) - 1));
    int sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += across.weights[static_cast<std::size_t>(i)] *
             row[std::clamp(across.first + i, 0, picture.width(plane) - 1)];
    value += down.weights[static_cast<std::size_t>(j)] * sum;
  }
  return value;
}

template <class Sample>
Pixel rgb_at(const Picture& picture, Colour colour, int x, int y) {
  const Conversion c = conversion(picture.format(), colour);
  if (colour == Colour::kRgb) {
    const auto scaled = [&](int plane) {
      return static_cast<float>(picture.row<Sample>(plane, y)[x]) * c.luma_scale;
    };
    return {{scaled(0), scaled(1), scaled(2)}};
  }
  const float luma = static_cast<float>(picture.row<Sample>(0, y)[x] - c.black) * c.luma_scale;
  const bool grey = picture.format().chroma == Chroma::k400;
  const float u = grey ? 0 : static_cast<float>(chroma_at<Sample>(picture, 1, x, y) - c.neutral);
  const float v = grey ? 0 : static_cast<float>(chroma_at<Sample>(picture, 2, x, y) - c.neutral);
  return rgb_of_yuv(c, luma, u, v);
}

template <class Sample>
Image light_of(const Picture& picture, Colour colour) {
  const PictureFormat& format = picture.format();
  Image image = make_image(format.width, format.height);
  for (int y = 0; y < format.height; ++y) {
    for (int x = 0; x < format.width; ++x) {
      const Pixel rgb = rgb_at<Sample>(picture, colour, x, y);
      for (std::size_t c = 0; c < 3; ++c)
        image[c].row(y)[x] =
            colour == Colour::kRgb ? light_of_rgb(rgb.at[c]) : light_of_yuv(rgb.at[c]);
    }
  }
  return image;
}

// The mean of two by two pixels; the last column or row of an odd size counts twice.
Image halve(const Image& image) {
  Image half = make_image(half_size(image[0].width), half_size(image[0].height));
  for (std::size_t c = 0; c < 3; ++c) {
    for (int y = 0; y < half[c].height; ++y) {
      const float* upper = image[c].row(2 * y);
      const float* lower = image[c].row(std::min(2 * y + 1, image[c].height - 1));
      for (int x = 0; x < half[c].width; ++x) {
        const int left = 2 * x;
        const int right = std::min(2 * x + 1, image[c].width - 1);
        half[c].row(y)[x] = mean_of_four(upper[left], upper[right], lower[left], lower[right]);
      }
    }
  }
  return half;
}

// From light to XYB.

Image xyb_of(const Image& linear) {
  Image image = make_image(linear[0].width, linear[0].height);
  for (int y = 0; y < image[0].height; ++y) {
    for (int x = 0; x < image[0].width; ++x) {
      const Pixel pixel =
          xyb_of_light({{linear[0].row(y)[x], linear[1].row(y)[x], linear[2].row(y)[x]}});
      for (std::size_t c = 0; c < 3; ++c) image[c].row(y)[x] = pixel.at[c];
    }
  }
  return image;
}

// The blur.

using Cosines = std::array<float, 3>;

class RowBlur {
 public:
  RowBlur(const float* in, int width, float* out) : in_(in), out_(out), width_(width) {}

  void run() {
    int n = -kAhead;
    for (; n < std::min(kUnrolledStart, width_); ++n) one(n);
    for (; n < width_ - kUnrolledEnd; n += 4) four(n);
    for (; n < width_; ++n) one(n);
  }

 private:
  float at(int x) const { return x < 0 || x >= width_ ? 0.0f : in_[x]; }
  float input(int n) const { return at(n - kBehind) + at(n + kAhead); }

  void one(int n) {
    Cosines y{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Unrolled c = unrolled(static_cast<int>(i));
      y[i] = input(n) * c.input[0] - before_[i];
      if (i < 2) y[i] = step(c.last[0], last_[i], y[i]);
    }
    before_ = last_;
    last_ = y;
    if (n >= 0) put(n, y);
  }

  void four(int n) {
    std::array<Cosines, 4> y{};
    for (std::size_t i = 0; i < 2; ++i) {
      const Unrolled c = unrolled(static_cast<int>(i));
      y[0][i] = input(n) * c.input[0] - before_[i];
      for (int k = 1; k < 4; ++k) {
        float sum = input(n) * c.input[k];
        for (int j = 1; j <= k; ++j) sum = step(c.input[k - j], input(n + j), sum);
        y[static_cast<std::size_t>(k)][i] = step(c.before[k], before_[i], sum);
      }
      for (std::size_t k = 0; k < 4; ++k) y[k][i] = step(c.last[k], last_[i], y[k][i]);
    }
    const Unrolled c = unrolled(2);
    y[0][2] = input(n) * c.input[0] - before_[2];
    y[1][2] = input(n + 1) * c.input[0] - last_[2];
    y[2][2] = step(c.input[0], input(n + 2), input(n) * c.input[2]) + before_[2];
    y[3][2] = step(c.input[0], input(n + 3), input(n + 1) * c.input[2]) + last_[2];
    before_ = y[2];
    last_ = y[3];
    for (int k = 0; k < 4; ++k) put(n + k, y[static_cast<std::size_t>(k)]);
  }

  void put(int n, const Cosines& y) { out_[n] = y[0] + (y[1] + y[2]); }

  const float* in_;
  float* out_;
  int width_;
  Cosines last_{};
  Cosines before_{};
};

void blur_column(const Plane& in, int x, Plane& out) {
  const auto at = [&](int y) { return y < 0 || y >= in.height ? 0.0f : in.row(y)[x]; };
  Cosines last{};
  Cosines before{};
  for (int n = -kAhead; n < in.height; ++n) {
    const float sum = at(n - kBehind) + at(n + kAhead);
    Cosines y{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto input = static_cast<float>(kInput[i]);
      const auto feedback = static_cast<float>(-kFeedback[i]);
      const float rest = i < 2 ? step(feedback, last[i], -before[i]) : -before[i];
      y[i] = step(input, sum, rest);
    }
    before = last;
    last = y;
    if (n >= 0) out.row(n)[x] = y[0] + (y[1] + y[2]);
  }
}

Plane blur(const Plane& in) {
  Plane across(in.width, in.height);
  for (int y = 0; y < in.height; ++y) RowBlur(in.row(y), in.width, across.row(y)).run();
  Plane out(in.width, in.height);
  for (int x = 0; x < in.width; ++x) blur_column(across, x, out);
  return out;
}

Plane product(const Plane& a, const Plane& b) {
  Plane out(a.width, a.height);
  for (std::size_t i = 0; i < out.samples.size(); ++i) out.samples[i] = a.samples[i] * b.samples[i];
  return out;
}

// The errors.

class PartialSums {
 public:
  void add(int x, double error) {
    const auto i = static_cast<std::size_t>(x % kPartialSums);
    first_[i] += error;
    const double square = error * error;
    fourth_[i] += square * square;
  }
  void add_row_to(ErrorSums& sums) {
    sums.first += tree(first_);
    sums.fourth += tree(fourth_);
  }

 private:
  static double tree(std::array<double, kPartialSums>& sums) {
    for (std::size_t step = kPartialSums / 2; step > 0; step /= 2)
      for (std::size_t i = 0; i < step; ++i) sums[i] += sums[i + step];
    return sums[0];
  }

  std::array<double, kPartialSums> first_{};
  std::array<double, kPartialSums> fourth_{};
};

ChannelSums channel_sums(const Plane& reference, const Plane& distorted) {
  const Plane mean1 = blur(reference);
  const Plane mean2 = blur(distorted);
  const Plane square1 = blur(product(reference, reference));
  const Plane square2 = blur(product(distorted, distorted));
  const Plane both = blur(product(reference, distorted));
  ChannelSums sums{};
  for (int y = 0; y < reference.height; ++y) {
    PartialSums structural;
    PartialSums artifacts;
    PartialSums lost;
    for (int x = 0; x < reference.width; ++x) {
      structural.add(x,
                     structure_error(structure(mean1.row(y)[x], mean2.row(y)[x], square1.row(y)[x],
                                               square2.row(y)[x], both.row(y)[x])));
      const double difference = edge_difference(edge(reference.row(y)[x], mean1.row(y)[x]),
                                                edge(distorted.row(y)[x], mean2.row(y)[x]));
      artifacts.add(x, std::max(difference, 0.0));
      lost.add(x, std::max(-difference, 0.0));
    }
    structural.add_row_to(sums.structure);
    artifacts.add_row_to(sums.artifacts);
    lost.add_row_to(sums.lost);
  }
  return sums;
}

}  // namespace

Sums reference_sums(const Picture& reference, const Picture& distorted, Colour colour) {
  const PictureFormat& format = reference.format();
  const auto light_of_depth =
      format.bit_depth == 8 ? light_of<std::uint8_t> : light_of<std::uint16_t>;
  Image one = light_of_depth(reference, colour);
  Image two = light_of_depth(distorted, colour);
  Sums sums{};
  const int scales = scale_count(format.width, format.height);
  for (int scale = 0; scale < scales; ++scale) {
    if (scale > 0) {
      one = halve(one);
      two = halve(two);
    }
    const Image xyb1 = xyb_of(one);
    const Image xyb2 = xyb_of(two);
    for (std::size_t c = 0; c < kChannels; ++c) sums.at[scale][c] = channel_sums(xyb1[c], xyb2[c]);
  }
  return sums;
}

}  // namespace vmafx::ssimulacra2
