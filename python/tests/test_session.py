import math
import threading

import numpy as np
import pytest

import vmafx
from conftest import make_clip, same


def test_frame_by_frame_is_the_same_as_at_once(clip, noisy):
    for ask in ({}, {"model": "vmaf_v0.6.1", "features": ["psnr"]}, {"subsample": 2}):
        with vmafx.Session(**ask) as session:
            for reference, distorted in zip(clip, noisy, strict=True):
                session.submit(reference, distorted)
            result = session.finish()
        at_once = vmafx.score(clip, noisy, **ask)
        assert same(result, at_once)
        assert result.models == at_once.models
        assert not result.partial


def test_scores_are_there_once_they_are_final(clip, noisy):
    with vmafx.Session(features=["psnr", "motion"]) as session:
        assert session.score("psnr_y", 0) is None
        assert session.frames_done == 0
        assert len(session.scores_so_far()) == 0
        for count, pair in enumerate(zip(clip, noisy, strict=True), start=1):
            session.submit(*pair)
            assert session.score("psnr_y", count - 1) > 0
            # motion2 of a frame is known with the next.
            assert session.score("integer_motion2", count - 1) is None
        so_far = session.scores_so_far()
        assert so_far.partial
        assert so_far.frames.tolist() == [0, 1, 2, 3, 4]
        assert math.isnan(so_far["integer_motion2"][-1])
        result = session.finish()
        assert session.frames_done == 5
        assert session.score("integer_motion2", 4) == result["integer_motion2"][4]
        assert same(session.finish(), result)


def test_a_score_that_is_not_asked_for(clip):
    with vmafx.Session(features=["psnr"]) as session:
        session.submit(clip[0], clip[0])
        with pytest.raises(vmafx.UsageError, match="vmaf"):
            session.score("vmaf", 0)


def test_a_closed_session_says_so(clip):
    session = vmafx.Session(features=["psnr"])
    session.submit(clip[0], clip[0])
    session.close()
    session.close()
    for call in (
        lambda: session.submit(clip[0], clip[0]),
        session.finish,
        session.scores_so_far,
        lambda: session.score("psnr_y", 0),
        lambda: session.frames_done,
    ):
        with pytest.raises(vmafx.UsageError, match="closed"):
            call()


def test_a_finished_session_takes_no_more(clip):
    with vmafx.Session(features=["psnr"]) as session:
        session.submit(clip[0], clip[0])
        session.finish()
        with pytest.raises(vmafx.UsageError, match="finished"):
            session.submit(clip[0], clip[0])


def test_no_frames():
    with vmafx.Session() as session, pytest.raises(vmafx.InputError) as caught:
        session.finish()
    assert caught.value.code == "no_frames"


def test_an_error_leaves_the_block_at_once():
    big = np.zeros((1080, 1920), np.uint8)

    def fail():
        with vmafx.Session() as session:
            for _ in range(3):
                session.submit(big, big)
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fail()


def test_the_first_pair_fixes_the_format(clip):
    other = make_clip(1, width=80)[0]
    with vmafx.Session(features=["psnr"]) as session:
        session.submit(clip[0], clip[0])
        with pytest.raises(vmafx.InputError, match="80x48.*64x48") as caught:
            session.submit(clip[0], other)
        assert caught.value.code == "mismatch"
        # The pair was refused, not the session.
        session.submit(clip[1], clip[1])
        assert len(session.finish().frames) == 2


def test_threads_take_turns(clip, noisy):
    """One session that several threads use gives wrong orders at worst, and no crash."""
    with vmafx.Session(features=["psnr"]) as session:

        def use():
            for pair in zip(clip, noisy, strict=True):
                session.submit(*pair)
                session.scores_so_far()
                assert session.frames_done >= 0

        threads = [threading.Thread(target=use) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(session.finish().frames) == 20


def test_closing_while_another_thread_submits(clip):
    session = vmafx.Session()
    errors = []

    def submit():
        try:
            while True:
                session.submit(clip[0], clip[1])
        except vmafx.Error as error:
            errors.append(error)

    thread = threading.Thread(target=submit)
    thread.start()
    while session.frames_done < 2:
        pass
    session.close()
    thread.join(10)
    assert len(errors) == 1
