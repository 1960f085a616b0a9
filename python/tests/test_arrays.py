import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import vmafx
from conftest import Tensor, make_clip, make_frame, planes_of, same

PSNR = {"features": ["psnr"]}


def test_a_generator_is_taken_frame_by_frame():
    alive, most, taken = 0, 0, 0

    def frames(noise):
        nonlocal alive, most, taken
        for seed in range(60):
            luma = make_frame(seed, chroma="400", noise=noise)
            alive += 1
            taken += 1
            most = max(most, alive)
            weakref.finalize(luma, gone)
            yield luma

    def gone():
        nonlocal alive
        alive -= 1

    threads = 2
    result = vmafx.score(frames(0), frames(5), features=["motion"], threads=threads)
    assert len(result.frames) == 60
    assert taken == 120
    # Pairs in flight, the history that motion looks back at, and the pair that is being taken.
    assert most <= 2 * (threads + 1) + 3 + 4
    gc.collect()
    assert alive == 0


def test_all_arrays_are_let_go(clip, noisy):
    planes = [plane for frame in clip + noisy for plane in frame]
    before = [sys.getrefcount(plane) for plane in planes]
    vmafx.score(clip, noisy)
    with vmafx.Session(**PSNR) as session:
        session.submit(clip[0], noisy[0])
    assert [sys.getrefcount(plane) for plane in planes] == before


def test_arrays_that_only_the_session_has_stay(clip, noisy):
    expected = vmafx.score(clip, noisy, **PSNR)
    with vmafx.Session(**PSNR, threads=2) as session:
        for reference, distorted in zip(clip, noisy, strict=True):
            session.submit(tuple(p.copy() for p in reference), tuple(p.copy() for p in distorted))
            gc.collect()
        assert same(session.finish(), expected)


def test_luma_only_is_a_picture_without_chroma(clip, noisy):
    luma = vmafx.score([f[0] for f in clip], [f[0] for f in noisy], **PSNR)
    both = vmafx.score(clip, noisy, **PSNR)
    assert luma["psnr_y"].tolist() == both["psnr_y"].tolist()
    assert "psnr_cb" not in luma
    assert same(vmafx.score([(f[0],) for f in clip], [[f[0]] for f in noisy], **PSNR), luma)


def test_one_array_of_three_dimensions_is_a_clip(clip, noisy):
    a, b = (np.stack([frame[0] for frame in frames]) for frames in (clip, noisy))
    assert same(vmafx.score(a, b, **PSNR), vmafx.score(list(a), list(b), **PSNR))


def views(plane):
    """The same samples, otherwise laid out."""
    height, width = plane.shape
    wide = np.zeros((height, width + 13), plane.dtype)
    wide[:, 5 : 5 + width] = plane
    yield wide[:, 5 : 5 + width]
    yield np.ascontiguousarray(plane[::-1])[::-1]
    sparse = np.zeros((3 * height, width), plane.dtype)
    sparse[::3] = plane
    yield sparse[::3]
    fixed = plane.copy()
    fixed.flags.writeable = False
    yield fixed
    yield Tensor(plane)
    yield memoryview(np.ascontiguousarray(plane))


@pytest.mark.parametrize("bit_depth", [8, 10])
@pytest.mark.parametrize("view", range(6))
def test_layouts_do_not_matter(view, bit_depth):
    kind = {"bit_depth": bit_depth}
    clip, noisy = make_clip(2, **kind), make_clip(2, noise=4, **kind)
    turned = [tuple(list(views(plane))[view] for plane in frame) for frame in noisy]
    depth = None if bit_depth == 8 else bit_depth
    ask = {"bit_depth": depth, "features": ["psnr", "motion"]}
    assert same(vmafx.score(clip, turned, **ask), vmafx.score(clip, noisy, **ask))


def test_nothing_is_copied(clip):
    """What is written into the array after it is submitted, and before it is measured, counts."""
    big = np.zeros((2160, 3840), np.uint8)
    changed = big.copy()
    with vmafx.Session(features=["psnr"], threads=1) as session:
        session.submit(big, changed)
        changed[:] = 1
        session.submit(big, changed)
        result = session.finish()
    assert result["psnr_y"][0] > result["psnr_y"][1]


@pytest.mark.parametrize("chroma", ["420", "422", "444", "440", "411"])
@pytest.mark.parametrize("size", [(64, 48), (63, 47), (35, 33)])
def test_chroma_is_told_by_the_planes(chroma, size):
    kind = {"chroma": chroma, "width": size[0], "height": size[1]}
    frame = make_frame(0, **kind)
    with vmafx.Session(**PSNR) as session:
        session.submit(frame, make_frame(0, noise=3, **kind))
        result = session.finish()
    assert result["psnr_cr"][0] > 20
    assert len(planes_of(frame)) == 3


def test_a_plane_that_is_one_row_again_and_again():
    row = np.arange(64, dtype=np.uint8)
    flat = np.broadcast_to(row, (48, 64))
    assert flat.strides == (0, 1)
    assert vmafx.score([flat], [np.ascontiguousarray(flat)], **PSNR).identical.tolist() == [True]


def test_python_runs_in_the_calling_thread(clip, noisy):
    here, seen, calls = threading.get_ident(), set(), []

    def frames(of):
        for frame in of:
            seen.add(threading.get_ident())
            yield frame

    def progress(done, total, seconds):
        seen.add(threading.get_ident())
        calls.append((done, total, seconds))

    vmafx.score(frames(clip), noisy, **PSNR, progress=progress)
    assert seen == {here}
    assert calls[-1][:2] == (5, 5)
    assert calls[-1][2] > 0
    assert [done for done, _, _ in calls] == sorted(done for done, _, _ in calls)


def test_other_threads_run_while_it_scores():
    reference = make_frame(0, 1280, 720)
    distorted = make_frame(0, 1280, 720, noise=5)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.wait(0.001):
            counted[0] += 1

    counter = threading.Thread(target=count)
    counter.start()
    try:
        result = vmafx.score([reference] * 30, [distorted] * 30, threads=1)
    finally:
        stop.set()
        counter.join()
    # One count takes a millisecond or somewhat more; with the GIL held there would be none.
    assert counted[0] > 100 * result.seconds


def test_sessions_in_several_threads_at_once(clip, noisy):
    expected = vmafx.score(clip, noisy)
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(vmafx.score(iter(clip), noisy, threads=2)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(same(result, expected) for result in results)
