"""Refusals in words for people, in English and 中文: everything inside speaks in codes, the edge in sentences."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from schemas.refusals import Code


class Text(NamedTuple):
    """One sentence in both languages."""

    en: str
    zh: str


REFUSALS: Mapping[Code, Text] = MappingProxyType(
    {
        # the envelope and the services
        Code.BAD_MESSAGE: Text("The message cannot be read as a command.", "消息无法识别为指令。"),
        Code.TOO_LARGE: Text("The message is too long.", "消息过长。"),
        Code.NO_SUCH_MATCH: Text("There is no match with this id; check it.", "没有此编号的比赛，请核对。"),
        Code.NO_SUCH_GAME: Text("There is no game of this name.", "没有此名称的游戏。"),
        Code.BAD_TOKEN: Text("The token is not the one this seat was joined with.", "令牌与入座时的不符。"),
        Code.NOT_READY: Text("The dealer is still getting ready; try again soon.", "发牌方尚在准备，请稍后再试。"),
        Code.MATCH_FULL: Text("All seats of this match are taken.", "本场比赛座位已满。"),
        Code.SEAT_TAKEN: Text("The seat is taken, or you hold one already.", "该座位已有人，或您已入座。"),
        Code.BAD_ENTROPY: Text("The entropy is not the one you committed to.", "出示的随机数与先前的承诺不符。"),
        Code.STALE: Text("You have been asked anew since; look at the table again.", "询问已更新，请重新查看牌桌。"),
        Code.BUSY: Text("Too many commands are waiting; send yours again soon.", "等候的指令过多，请稍后重发。"),
        Code.UNAVAILABLE: Text(
            "No answer is possible right now; send the same again.", "暂时无法处理，请重发同一指令。"
        ),
        # every game
        Code.BAD_OPTION: Text(
            "An option or the number of seats does not suit this game.", "某个选项或座位数不符合本游戏的规定。"
        ),
        Code.BAD_DEAL: Text(
            "The deal is no full pack: a card is missing, doubled or foreign.", "牌不成整副：有缺、重或外来牌。"
        ),
        Code.BAD_ACTION: Text(
            "The action is malformed: its type, a field or a card is wrong.", "动作格式有误：类型、字段或牌不正确。"
        ),
        Code.NOT_ALLOWED: Text("This action is not yours, or there is no such seat.", "您无权做此动作，或没有该座位。"),
        Code.HAND_OVER: Text(
            "The hand, or the match, is over; there is nothing to decide in it.", "本局或整场已结束，无需再做决定。"
        ),
        Code.NOT_YOUR_TURN: Text("It is not your turn; wait until you are asked.", "还没轮到您，请等候。"),
        Code.WRONG_PHASE: Text("This action does not belong to the present phase.", "现阶段不能做此动作。"),
        Code.NOT_IN_HAND: Text(
            "You do not hold a card you named, or have used it already.", "所选的牌不在手中，或已用过。"
        ),
        Code.WRONG_COUNT: Text(
            "That is the wrong number of cards; followers play as many as were led.", "牌数不对；跟牌须与首家张数相同。"
        ),
        Code.MUST_FOLLOW: Text(
            "Follow suit: you hold a card of the suit that was led.", "须跟同花色：您手中有此花色的牌。"
        ),
        # gongzhu
        Code.BAD_CUT: Text(
            "Cut inside the deck, with a card or more on both sides.", "切牌处须在牌叠中间，两边都要有牌。"
        ),
        Code.ALREADY_DECIDED: Text("You have answered already; wait for the others.", "您已作答，请等候其他人。"),
        Code.BAD_DRAW_BACK: Text(
            "Move cards only from seats with too many to seats with too few, until all are right.",
            "只能从多牌者抽给少牌者，直到张数都正确。",
        ),
        Code.NOT_FIRST_CARD: Text(
            "Only the first card you were dealt may be exposed now.", "此时只能亮发到的第一张牌。"
        ),
        Code.NOT_EXPOSABLE: Text(
            "Only the pig, the sheep, the transformer and the ace of hearts can be exposed.",
            "只有猪、羊、变压器和红桃A可以亮。",
        ),
        Code.DARK_NOT_ALLOWED: Text("Dark exposing is not possible here; expose openly.", "此处不能暗卖，请明亮。"),
        Code.DARK_REQUIRED: Text("In this match cards are exposed dark.", "本场比赛只能暗卖。"),
        Code.NOT_A_PAIR: Text(
            "Two cards are led only as a pair of one suit and rank.", "首出两张须为同花色同点的对牌。"
        ),
        Code.MUST_PLAY_OPENING: Text("Start the hand with the opening card.", "本局须先出首引牌。"),
        Code.EXPOSED_BANNED: Text(
            "Keep the exposed card back until its suit has been led once, as you hold others of it.",
            "亮过的牌在该花色首轮不能出，除非没有同花色的其他牌。",
        ),
        Code.MUST_FOLLOW_PAIR: Text(
            "A pair was led: play the pair you hold of its suit.", "首家出对，您有同花色对牌须出对。"
        ),
        Code.WRONG_COLOUR: Text(
            "Discard red on a red lead and black on a black one while you can.", "垫牌须与首牌同色：红垫红，黑垫黑。"
        ),
        Code.CLAIM_OFF: Text("This match is played without claims.", "本场比赛不用声称。"),
        Code.TRICK_IN_PROGRESS: Text("Claim between tricks, with no card on the table.", "须等本墩结束后才能声称。"),
        Code.CLAIM_USED: Text("You have claimed once in this hand; that is the limit.", "每局只能声称一次，您已用过。"),
        Code.BAD_CLAIM: Text(
            "Say who gets the outstanding point cards: each once to a seat, or all to one.",
            "须说明未出的分牌归谁：逐张各归一家，或全归一家。",
        ),
        Code.OWN_CLAIM: Text("This claim is yours; the other seats answer it.", "这是您的声称，应由其他人回应。"),
        # the poker games
        Code.BAD_AMOUNT: Text("Name the amount as a whole number of chips above zero.", "数额须为大于零的整数筹码。"),
        Code.NOT_AVAILABLE: Text(
            "This is not on offer now; choose from the list.", "现在不能这样做，请从列出的动作中选。"
        ),
        Code.BRING_IN_REQUIRED: Text(
            "You cannot fold, check or call: post the bring-in or more.", "不能弃牌、过牌或跟注：须付引入注或更多。"
        ),
        Code.FOLD_NOT_NEEDED: Text("You have nothing to pay: do not fold.", "无需付注，不必弃牌。"),
        Code.CANNOT_CHECK: Text("You have a bet to match: call or fold instead.", "面前有注，不能过牌：请跟注或弃牌。"),
        Code.NOTHING_TO_CALL: Text("You have nothing to pay, so you cannot call.", "没有要跟的注，不能跟注。"),
        Code.MUST_BET: Text("Nobody has bet yet, and checking is not allowed: bet.", "还无人下注，不许过牌：请下注。"),
        Code.MUST_RAISE: Text("There is a bet to match already: raise it instead.", "已有人下注：请改为加注。"),
        Code.NOTHING_TO_RAISE: Text("There is no bet to raise yet: bet instead.", "还无注可加：请改为下注。"),
        Code.RAISE_CAP: Text(
            "All raises of this round have been made: call or fold.", "本轮加注次数已满：请跟注或弃牌。"
        ),
        Code.RAISING_CLOSED: Text(
            "You may not raise again in this round: call or fold.", "本轮您不能再加注：请跟注或弃牌。"
        ),
        Code.NO_ONE_TO_CALL: Text("Nobody else has the chips to call more.", "其他人已无筹码可跟更多。"),
        Code.ALL_IN_NOT_ALLOWED: Text(
            "You cannot go all-in: it is too early, or your stack is above the bet size.",
            "不能全下：时机未到，或筹码超过限注。",
        ),
        Code.LIMIT_REACHED: Text("Even the smallest amount is above the table limit.", "最小数额也超过了牌桌上限。"),
        Code.STACK_TOO_SMALL: Text(
            "Your stack is below the smallest amount: go all-in instead.", "筹码不足最小数额：可改为全下。"
        ),
        Code.AMOUNT_TOO_SMALL: Text(
            "That is below the least allowed; name your total for the round.", "数额太小；请报本轮的总额。"
        ),
        Code.AMOUNT_TOO_LARGE: Text(
            "That is above the most allowed; name your total for the round.", "数额太大；请报本轮的总额。"
        ),
        Code.AMOUNT_NOT_ALLOWED: Text(
            "Only the listed steps between least and most are allowed.", "数额只能按列出的档次。"
        ),
        Code.UNSUPPORTED_VARIANT: Text("The file holds a kind of poker not known here.", "文件中的扑克玩法不受支持。"),
        # fifty-k
        Code.CANNOT_PASS: Text("You may not pass here; choose another action.", "此时不能过牌，请选其他动作。"),
        Code.MUST_BEAT: Text("You may not pass: you hold cards that beat the last play.", "有牌能压，不能过牌。"),
        Code.BAD_COMBINATION: Text(
            "These cards form no combination, or not the one you named.", "这些牌不成牌型，或与所报牌型不符。"
        ),
        Code.MUST_INCLUDE_3S: Text("The first lead of the match must hold the 3 of spades.", "全场首出须含黑桃3。"),
        Code.TOO_LOW: Text("That is not high enough to beat the last play.", "不够大，压不住上一手牌。"),
        Code.WRONG_KIND: Text(
            "Answer with the kind and number of cards on the table, or with a bomb.",
            "须出同牌型、同张数的牌，或出炸弹。",
        ),
        # durak
        Code.CANNOT_EXCHANGE: Text(
            "No exchange now: it takes the 2 of trumps in hand, at the right time.",
            "现在不能换样牌：须持将牌2，且时机合适。",
        ),
        Code.MUST_ATTACK: Text("You open the battle: attack with a card.", "由您主攻，须出一张牌。"),
        Code.RANK_NOT_ON_TABLE: Text("Throw in only ranks that lie on the table.", "只能添出桌上已有点数的牌。"),
        Code.DOES_NOT_BEAT: Text(
            "This card does not beat the attack; try another or pick up.", "此牌压不住：换一张或收牌。"
        ),
        # bluff
        Code.NOTHING_TO_CHALLENGE: Text(
            "Nothing has been played in this round: lead.", "本轮还无人出牌，无可质疑：请先出牌。"
        ),
        Code.BAD_COUNT: Text(
            "Lead one card or more, up to the limit of this match.", "首出至少一张，且不超过张数上限。"
        ),
        Code.BAD_RANK: Text(
            "Claim a rank of this pack, or none where none is named.", "请报牌中有的点数；不报点的玩法则不报。"
        ),
        Code.WRONG_RANK: Text(
            "Another rank is due: claim the one that is asked for.", "点数不对：须报当前规定的点数。"
        ),
        # piquet
        Code.ALREADY_DECLARED: Text("You have declared carte blanche already; discard.", "无绘牌已宣布过，请换牌。"),
        Code.NO_CARTE_BLANCHE: Text("You were dealt a court card: no carte blanche.", "发到的牌中有绘牌，不算无绘牌。"),
        Code.DUPLICATE_CARD: Text("Name each card only once.", "同一张牌不能选两次。"),
        Code.DISCARD_COUNT: Text("You may not exchange that many or that few cards.", "换牌张数不在允许范围内。"),
        Code.NOT_BEST_SUIT: Text("Declare a suit in which your total is highest.", "只能宣布合计分数最大的花色。"),
        Code.NOTHING_TO_DECLARE: Text(
            "You hold nothing of this kind to declare: pass.", "没有可宣布的牌组，请放弃宣布。"
        ),
        # cassino
        Code.CAN_TAKE: Text("You may not pass: there are cards you can take.", "有牌可捡，不算无力。"),
        Code.CAN_BUILD: Text("You may not pass: there is a build you can make.", "能做牌，不算无力。"),
        Code.EMPTY_SELECTION: Text("Choose at least one card on the table.", "至少选一张台面上的牌。"),
        Code.BUILD_RESERVED: Text(
            "A card you chose is reserved in a build of another seat.", "所选的牌属于别家所做的牌。"
        ),
        Code.NOT_ON_TABLE: Text("A card you chose is not on the table.", "所选的牌不在台面上。"),
        Code.BUILD_SPLIT: Text(
            "Your build stays together: choose all of it or nothing.", "自己做的牌不能拆开，须全选或不选。"
        ),
        Code.WRONG_SUM: Text("These cards do not make up the value of your card.", "捡的牌与手牌点数不符。"),
        Code.BUILD_OPEN: Text("You have a build already; one at a time.", "您已有一组做牌，同时只能有一组。"),
        Code.BAD_BUILD: Text("Court cards do not go into builds.", "J、Q、K不能做牌。"),
        Code.BUILD_TOO_HIGH: Text("A build is worth ten at most.", "做牌的点数和最多为10。"),
        Code.NO_CAPTURE_CARD: Text(
            "You keep no card of that value to take the build with.", "手中没有别的牌能捡这组做牌。"
        ),
        Code.MUST_TAKE: Text("You may not build: you can take a scoring card.", "能捡到分牌，不能做牌。"),
        # seven-qiao
        Code.FINISHED: Text("You are done with drawing in this hand.", "本局您已停止添牌。"),
    }
)


def refusal_text(code: Code, lang: Literal["en", "zh"] = "en") -> str:
    """The sentence for people that says what was wrong and, where it helps, what to do next."""
    text = REFUSALS[code]
    return text.zh if lang == "zh" else text.en
