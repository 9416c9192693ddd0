"""Refusals in words: every code has its own sentence in both languages, and the list of codes is the rules' own."""

from typing import Literal

import pytest

from schemas.refusals import Code
from services.prose import REFUSALS, refusal_text

Lang = Literal["en", "zh"]

# The codes that the services, and the error sections of the rules, name.
NAMED = {
    "services": """bad_message too_large no_such_match no_such_game bad_token not_ready match_full seat_taken
        bad_entropy stale busy unavailable bad_action not_allowed already_decided wrong_phase hand_over
        not_your_turn""",
    "gongzhu": """bad_option bad_deal bad_action not_allowed hand_over not_your_turn wrong_phase bad_cut
        already_decided not_in_hand bad_draw_back dark_not_allowed not_first_card not_exposable dark_required
        wrong_count not_a_pair must_play_opening exposed_banned must_follow must_follow_pair wrong_colour claim_off
        trick_in_progress claim_used bad_claim own_claim""",
    "poker_common": """bad_option bad_deal bad_action bad_amount hand_over not_your_turn not_available
        bring_in_required fold_not_needed cannot_check nothing_to_call must_bet must_raise nothing_to_raise raise_cap
        raising_closed no_one_to_call all_in_not_allowed limit_reached stack_too_small amount_too_small
        amount_too_large amount_not_allowed""",
    "phh": "unsupported_variant",
    "fifty_k": """bad_option bad_deal bad_action hand_over not_your_turn cannot_pass must_beat not_in_hand
        bad_combination must_include_3s too_low wrong_kind""",
    "durak": """bad_option bad_deal bad_action hand_over not_your_turn cannot_exchange must_attack wrong_phase
        not_in_hand rank_not_on_table must_follow does_not_beat""",
    "bluff": """bad_option bad_deal bad_action hand_over not_your_turn nothing_to_challenge cannot_pass bad_count
        wrong_count not_in_hand bad_rank wrong_rank""",
    "piquet": """bad_option bad_deal bad_action hand_over not_your_turn wrong_phase already_declared no_carte_blanche
        duplicate_card not_in_hand discard_count not_best_suit nothing_to_declare must_follow""",
    "cassino": """bad_option bad_deal bad_action hand_over not_your_turn wrong_phase not_in_hand can_take can_build
        empty_selection duplicate_card build_reserved not_on_table build_split wrong_sum build_open bad_build
        build_too_high no_capture_card must_take""",
    "seven_qiao": "bad_option bad_deal bad_action hand_over finished not_your_turn wrong_phase",
}


def texts(lang: Lang) -> list[str]:
    """The sentences of all codes in one language."""
    return [refusal_text(code, lang) for code in Code]


@pytest.mark.parametrize("source", NAMED)
def test_every_code_that_rules_or_services_name_is_in_the_list(source: str) -> None:
    """The closed list leaves out nothing that is refused somewhere."""
    assert set(NAMED[source].split()) - set(Code) == set()


def test_every_code_of_the_list_is_named_by_rules_or_services() -> None:
    """The closed list holds nothing that is refused nowhere."""
    assert set(Code) - {code for codes in NAMED.values() for code in codes.split()} == set()


def test_the_table_has_every_code_in_the_order_of_the_list() -> None:
    """A new code is given its words, at its place."""
    assert list(REFUSALS) == list(Code)


def test_words_are_english_unless_chinese_is_asked_for() -> None:
    """The language is a choice, and has a default."""
    assert refusal_text(Code.MUST_FOLLOW) == refusal_text(Code.MUST_FOLLOW, "en") == REFUSALS[Code.MUST_FOLLOW].en
    assert refusal_text(Code.MUST_FOLLOW, "zh") == REFUSALS[Code.MUST_FOLLOW].zh


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_two_codes_share_a_text(lang: Lang) -> None:
    """Who reads the sentence knows the code."""
    assert len(set(texts(lang))) == len(Code)


def test_english_is_one_sentence_in_ascii() -> None:
    """It begins with a capital, ends with a full stop and has no other."""
    assert [text for text in texts("en") if not (text.isascii() and text[0].isupper())] == []
    assert [text for text in texts("en") if text.find(".") != len(text) - 1] == []


def test_chinese_is_one_sentence_with_chinese_punctuation() -> None:
    """It is in Chinese characters, ends with a full stop and has no other."""
    assert [text for text in texts("zh") if not any("一" <= sign <= "鿿" for sign in text)] == []
    assert [text for text in texts("zh") if text.find("。") != len(text) - 1 or set(text) & set(",.;:!?()")] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_texts_are_for_people(lang: Lang) -> None:
    """No place-holder and no code name stands in a sentence."""
    assert [text for text in texts(lang) if "{" in text or any(code in text.casefold() for code in Code)] == []
