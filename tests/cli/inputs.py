"""Small streams for the command-line tests, good ones and broken ones."""


def plane(width, height, frame, seed, peak):
    """A texture that moves and that a seed changes a little."""
    return [(x * 7 + y * 3 + frame * 5 + (seed * (x % 3))) % (peak + 1)
            for y in range(height) for x in range(width)]


def samples(values, depth):
    if depth == 8:
        return bytes(values)
    return b"".join(value.to_bytes(2, "little") for value in values)


def chroma_size(width, height, chroma):
    if chroma == "444":
        return width, height
    return (width + 1) // 2, height if chroma == "422" else (height + 1) // 2


def picture(width, height, frame, seed=0, chroma="420", depth=8):
    peak = 2**depth - 1
    data = samples(plane(width, height, frame, seed, peak), depth)
    if chroma == "400":
        return data
    chroma_width, chroma_height = chroma_size(width, height, chroma)
    for shift in (11, 23):
        data += samples(plane(chroma_width, chroma_height, frame + shift, seed, peak), depth)
    return data


def y4m_header(width, height, chroma="420", depth=8, more="", rate=25):
    tag = "Cmono" if chroma == "400" else f"C{chroma}" + ("" if depth == 8 else f"p{depth}")
    return f"YUV4MPEG2 W{width} H{height} F{rate}:1 Ip A1:1 {tag}{more}\n".encode()


def y4m(width, height, frames, seed=0, chroma="420", depth=8, more="", rate=25, first=0):
    data = y4m_header(width, height, chroma, depth, more, rate)
    for frame in range(first, first + frames):
        data += b"FRAME\n" + picture(width, height, frame, seed, chroma, depth)
    return data


def raw(width, height, frames, seed=0, chroma="420", depth=8):
    return b"".join(picture(width, height, frame, seed, chroma, depth) for frame in range(frames))


def make_all(folder):
    reference = y4m(64, 48, 6)
    files = {
        "a.y4m": reference,
        "b.y4m": y4m(64, 48, 6, seed=1),
        "four.y4m": y4m(64, 48, 4, seed=1),
        "one.y4m": y4m(64, 48, 1, seed=1),
        "long.y4m": y4m(64, 48, 16),
        "late.y4m": y4m(64, 48, 16, first=-1),
        "early.y4m": y4m(64, 48, 16, first=2),
        "small.y4m": y4m(32, 24, 6, seed=1),
        # Large enough for every metric, and for the models of VMAF v1.
        "large.y4m": y4m(240, 180, 2),
        "large_b.y4m": y4m(240, 180, 2, seed=1),
        "large_10.y4m": y4m(240, 180, 2, seed=1, depth=10),
        "fast.y4m": y4m(240, 180, 2, rate=50),
        "large_gray.y4m": y4m(240, 180, 2, chroma="400"),
        "tall.y4m": y4m(160, 1442, 1),
        "odd.y4m": y4m(33, 35, 3),
        "tiny.y4m": y4m(2, 2, 3),
        "ten.y4m": y4m(64, 48, 6, seed=1, depth=10),
        "422.y4m": y4m(64, 48, 6, seed=1, chroma="422"),
        "full.y4m": y4m(64, 48, 6, seed=1, more=" XCOLORRANGE=FULL"),
        "header.y4m": y4m_header(64, 48),
        "cut.y4m": reference[:-1000],
        "cut_header.y4m": b"YUV4MPEG2 W64 H4",
        "zero_size.y4m": y4m_header(0, 48),
        "huge.y4m": y4m_header(4000000, 4000000),
        "bad_frame.y4m": reference + b"FRAMF\n" + picture(64, 48, 0),
        "empty": b"",
        "text.txt": b"This is no video at all, and longer than any header.\n" * 40,
        "a.yuv": raw(64, 48, 6),
        "b.yuv": raw(64, 48, 6, seed=1),
        "cut.yuv": raw(64, 48, 6, seed=1)[:-1000],
        "gray.yuv": raw(64, 48, 6, chroma="400"),
        # The beginning of an MP4 file.
        "box.mp4": b"\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41" + bytes(20000),
        "not_a_model.json": b'{"hello": 1}',
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
