#!/usr/bin/python3
"""Merges the changes of several machines in a model of the rules of VAULT-FORMAT.md and SYNC-FORMAT.md.

    merge_model.py [HISTORIES [SEED]]        default: 10,000 histories from seed 0

The machines change one card and its conflict copies at random, with different clocks, and read each other's streams in
any order. They often write the same at different times, and such contents are combined. In the end, all must have the
same contents, times, tags and revisions, and nothing may be lost that nobody replaced. The model has no file, key or
attachment, so that a history takes a few milliseconds; Tests/VaultSyncTests does the same with real vaults, in seconds.
Of a history that fails, it prints a part that still fails, without a step too many.
"""

import dataclasses
import random
import sys

# Histories after which machines differ, or something is lost, without one of the rules.
NEEDED = {
    # Resolving a conflict copy is recorded in its card.
    "resolutions": [
        ("create", 0, 1), ("read", 1, ((0, 0),)), ("edit", 1, "card", 2), ("clock", 0, 1000), ("edit", 0, "card", 3),
        ("read", 0, ()), ("read", 1, ((0, 0),)), ("delete", 0, "card"), ("read", 0, ()), ("delete", 1, "card/2"),
        ("read", 0, ((1, 0),)),
    ],
    # Combined contents keep their times: the newer of two is replaced without the older, which is older than a third.
    "times": [
        ("create", 0, 1), ("read", 1, ((0, 0),)), ("read", 2, ((0, 0),)), ("edit", 0, "card", 2), ("clock", 2, 100),
        ("read", 0, ()), ("edit", 2, "card", 3), ("clock", 1, 1000), ("edit", 1, "card", 2), ("read", 1, ()),
        ("read", 0, ((1, 0),)), ("delete", 1, "card"),
    ],
    # A changed conflict copy begins with no known writes, for those of its content are numbered as writes of the card.
    # Otherwise machine 1 would know the first write of machine 3 to the copy, because it knew its first to the card.
    "numbers": [
        ("create", 0, 1), ("read", 2, ((0, 0),)), ("read", 3, ((0, 0),)), ("edit", 0, "card", 2), ("read", 0, ()),
        ("edit", 3, "card", 2), ("read", 3, ()), ("edit", 2, "card", 3), ("read", 2, ((0, 0),)),
        ("read", 1, ((2, 0), (3, 0))), ("edit", 1, "card/2", 4), ("edit", 3, "card", 5), ("read", 3, ((2, 0),)),
        ("edit", 3, "card/2", 6),
    ],
    # For the same reason, only its tags tell what a changed conflict copy replaced.
    "tags": [
        ("create", 0, 1), ("read", 2, ((0, 0),)), ("read", 3, ((0, 0),)), ("edit", 0, "card", 2), ("read", 0, ()),
        ("edit", 3, "card", 2), ("read", 3, ()), ("edit", 2, "card", 3), ("read", 2, ((0, 0),)),
        ("read", 1, ((2, 0), (3, 0))), ("edit", 2, "card/2", 4), ("read", 2, ()), ("read", 3, ((2, 0),)),
        *[("edit", 3, "card/2", 5)] * 64, ("read", 3, ()), ("read", 1, ((3, 0),)),
    ],
    # Two segments are not merged as one if a card is a conflict copy in the earlier, and one of its own in the later.
    "roles": [
        ("create", 0, 1), ("read", 1, ((0, 0),)), ("read", 2, ((0, 0),)), ("edit", 0, "card", 2), ("read", 0, ()),
        ("edit", 1, "card", 3), ("read", 1, ((0, 0),)), ("edit", 2, "card", 2), ("read", 2, ((1, 0),)),
        ("edit", 1, "card/2", 4), ("read", 1, ()), ("read", 2, ((1, 0),)), ("edit", 2, "card/2", 5), ("read", 2, ()),
    ],
}


@dataclasses.dataclass
class History:
    """What a machine knows of a card."""

    own: list = dataclasses.field(default_factory=list)
    seen: list = dataclasses.field(default_factory=list)
    origin: str = None
    context: dict = dataclasses.field(default_factory=dict)
    dots: dict = dataclasses.field(default_factory=dict)
    times: dict = dataclasses.field(default_factory=dict)
    publishes: bool = False
    changed_at: int = 0
    copies: list = dataclasses.field(default_factory=list)

    @property
    def has_every_tag(self):
        """Whether there is a tag of every known write."""
        return len(self.seen) < 64 and len(self.own) + len(self.seen) >= writes(self.context)

    def published(self):
        """What other machines see of it."""
        return dataclasses.replace(self, own=list(self.own), seen=list(self.seen), context=dict(self.context),
                                   dots=dict(self.dots), times=dict(self.times), publishes=False, changed_at=0,
                                   copies=[])


def writes(context):
    """The number of writes in a context, without resolutions, which are counted under a pair."""
    return sum(count for replica, count in context.items() if not isinstance(replica, tuple))


def increment(context, replica):
    """Counts a write or a resolution, and returns its dot."""
    context[replica] = context.get(replica, 0) + 1
    return replica, context[replica]


def join(one, other):
    """What either context knows."""
    return {replica: max(one.get(replica, 0), other.get(replica, 0)) for replica in {**one, **other}}


def covers(context, other):
    """Whether a context knows all of another one, or of some dots."""
    return all(context.get(replica, 0) >= count for replica, count in (other.items() if isinstance(other, dict) else other))


def knows_a_dot(history_or_family, dots):
    """Whether one of the dots is known where tags may be missing."""
    if history_or_family.has_every_tag or history_or_family.context is None:
        return False
    return any(covers(history_or_family.context, [dot]) for dot in dots)


def first_tags(tags):
    """The first 64 different tags."""
    return list(dict.fromkeys(tags))[:64]


class Side:
    """One of the two copies in a merge."""

    def __init__(self, rows, histories, without=None):
        self.rows, self.histories, self.without, self.copies = rows, histories, without, {}
        for card, history in histories.items():
            if history.origin and card in rows:
                self.copies.setdefault(history.origin, []).append(card)

    def is_copy(self, card):
        """Whether a card is an unchanged conflict copy."""
        return card in self.histories and self.histories[card].origin is not None

    def families(self):
        """The cards without conflict copies."""
        return {card for card in {**self.rows, **self.histories} if not self.is_copy(card)} | set(self.copies)

    def is_independent(self, card):
        """Whether a card, present or deleted, is not a conflict copy."""
        return (card in self.rows or card in self.histories) and not self.is_copy(card)

    def has_replaced(self, tag, dots, card):
        """Whether a card that is not a conflict copy once had a content of another family."""
        if not self.is_independent(card) or card not in self.histories:
            return False
        history = self.histories[card]
        return tag in history.seen or self.without == "tags" and knows_a_dot(history, dots)


class Family:
    """A card with its conflict copies on one side."""

    def __init__(self, side, card):
        self.places, self.contents, self.known, self.dots, self.superseded = {}, {}, [], {}, set()
        self.context, self.publishes, self.changed_at, self.has_every_tag = None, False, 0, True
        history = side.histories.get(card)
        if history and not history.origin:
            if card in side.rows:
                self.add(side, card)
            self.known += history.seen
            self.context, self.has_every_tag = history.context, history.has_every_tag
            self.publishes, self.changed_at = history.publishes, history.changed_at
        for copy in sorted(side.copies.get(card, [])):
            self.add(side, copy)

    def add(self, side, card):
        """Adds the contents of the card or of a conflict copy, each with its own time."""
        (time, name), history = side.rows[card], side.histories[card]
        for tag in history.own:
            self.places[tag], self.contents[tag] = card, (history.times.get(tag, time), name)
            self.known.append(tag)
            self.dots[tag] = self.dots.get(tag, frozenset()) | history.dots.get(tag, frozenset())

    def knows(self, tag, dots):
        """Whether a content was seen here, or is here."""
        return tag in self.known or tag in self.superseded or knows_a_dot(self, dots)


class Machine:
    """A replica with its vault and its stream."""

    def __init__(self, number, without=None):
        self.number, self.without, self.clock, self.generation, self.published_at = number, without, 0, 0, 0
        # The contents are pairs of a time and a name, which stands for everything but the time.
        self.rows, self.histories = {}, {}
        self.stream, self.snapshot, self.positions = [], 0, {}

    # What a user does

    def write(self, card, name, tag):
        """Creates, changes or, without a name, deletes a card."""
        self.generation += 1
        before = self.histories.get(card, History())
        after = History(seen=first_tags(before.own + before.seen), context=dict(before.context), publishes=True,
                        changed_at=self.generation, copies=before.copies)
        for dot in frozenset().union(*before.dots.values()) if not before.origin or self.without == "numbers" else ():
            after.context[dot[0]] = max(after.context.get(dot[0], 0), dot[1])
        dot = increment(after.context, self.number)
        if name is not None:
            after.own, after.dots = [tag], {tag: frozenset([dot])}
            self.rows[card] = (self.clock, name)
        else:
            del self.rows[card]
        self.histories[card] = after
        if before.origin and self.without != "resolutions":
            origin = self.histories[before.origin]
            origin.seen = first_tags(before.own + origin.seen)
            increment(origin.context, ("resolver", self.number))
            origin.publishes, origin.changed_at = True, self.generation

    # Publishing

    def family_to_publish(self, card, after):
        """The rows and histories of a card that this replica is to publish, if it was written after a generation."""
        history = self.histories[card]
        if history.origin or not history.publishes or history.changed_at <= after:
            return {}, {}
        copies = [copy for copy in history.copies if copy in self.histories and self.histories[copy].origin == card]
        members = {one: self.histories[one].published() for one in [card, *copies]}
        return {one: self.rows[one] for one in members if one in self.rows}, members

    def publish(self, after=None):
        """Publishes what was written since the last time or after a generation."""
        after = self.published_at if after is None else after
        families = [self.family_to_publish(card, after) for card in sorted(self.histories)]
        with_copies = [family for family in families if any(history.origin for history in family[1].values())]
        if with_copies:
            self.merge(*united(with_copies), None)
            families = [self.family_to_publish(card, after) for card in sorted(self.histories)]
        segment = united(families)
        if segment[1]:
            self.stream.append(segment)
        self.generation += 1
        self.published_at = self.generation

    def publish_snapshot(self):
        """Publishes everything again, in place of the segments before."""
        self.publish(after=-1)
        self.snapshot = max(len(self.stream) - 1, 0)

    # Reading

    def read(self, other, end):
        """Merges the segments of another stream up to one of them."""
        start = max(self.positions.get(other.number, 0), other.snapshot)
        if end <= start:
            return
        self.positions[other.number] = end
        for rows, histories in batches(other.stream[start:end], self.without):
            families = {}
            for card, history in histories.items():
                families.setdefault(history.origin or card, {})[card] = history
            news = [({one: rows[one] for one in members if one in rows}, members)
                    for card, members in sorted(families.items()) if self.is_news(card, members)]
            if news:
                self.merge(*united(news), other.number)

    def is_news(self, card, members):
        """Whether a family has something that this vault does not know, or decides who publishes it."""
        mine = self.histories.get(card)
        if card not in members or mine is None:
            return True
        theirs = members[card].context
        if mine.publishes and covers(theirs, mine.context):
            return True
        known = set(mine.own + mine.seen)
        has_only_known = not mine.has_every_tag or all(known.issuperset(history.own) for history in members.values())
        live = set(mine.own).union(*(self.histories[copy].own for copy in mine.copies if copy in self.histories))
        return not (covers(mine.context, theirs) and has_only_known and live.isdisjoint(members[card].seen))

    # Merging

    def merge(self, rows, histories, publisher):
        """Merges cards that a replica has published, or this one is about to."""
        self.generation += 1
        mine, theirs = Side(self.rows, self.histories, self.without), Side(rows, histories, self.without)
        changes = {}
        origins = {self.histories[card].origin for card in histories if mine.is_copy(card)}
        for card in sorted(theirs.families() | origins):
            self.plan(card, mine, theirs, publisher, changes)
        for card, (row, history) in changes.items():
            for values, value in (self.rows, row), (self.histories, history):
                if value is None:
                    values.pop(card, None)
                else:
                    values[card] = value

    def plan(self, card, mine, theirs, publisher, changes):
        """Plans the changes of one family."""
        def copy_ids(tag):
            taken, place = [], f"{card}/{tag}"
            while mine.is_independent(place) or theirs.is_independent(place):
                taken.append(place)
                place = f"{place}/{tag}"
            return taken, place

        def superseded(family, side):
            return {tag for tag, place in family.places.items()
                    if any(side.has_replaced(tag, family.dots.get(tag, ()), one)
                           for one in copy_ids(tag)[0] + [place] * (place != card))}

        def change(place, row, history):
            if row is not None or history is not None or place not in changes:
                changes[place] = (row, history)

        ours, others = Family(mine, card), Family(theirs, card)
        before = set(ours.places.values())
        for family, side in (ours, mine), (others, theirs):
            for tag in superseded(family, side):
                del family.places[tag]
        ours.superseded, others.superseded = superseded(others, mine), superseded(ours, theirs)
        live = {tag for tag in ours.places if tag in others.places or not others.knows(tag, ours.dots.get(tag, ()))}
        live |= {tag for tag in others.places if tag not in ours.places and not ours.knows(tag, others.dots.get(tag, ()))}
        known = list(dict.fromkeys(ours.known + others.known))
        context = join(ours.context or {}, others.context or {})
        dots = {tag: ours.dots.get(tag, frozenset()) | others.dots.get(tag, frozenset()) for tag in live}
        publishes = self.is_publisher(ours, others, publisher)
        changed_at = self.generation if publishes and not ours.publishes else ours.changed_at
        for place in before - {card}:
            change(place, None, None)
        if not live:
            if known:
                change(card, None, History(seen=first_tags(known), context=context, publishes=publishes, changed_at=changed_at))
            return
        (row, times), *rest = combined({tag: (ours if tag in ours.places else others).contents[tag] for tag in live})
        base = History(seen=first_tags(tag for tag in known if tag not in times), context=context, publishes=publishes,
                       changed_at=changed_at)
        change(card, row, self.with_own_tags(base, times, dots))
        for row, times in rest:
            copy = copy_ids(min(times))[1]
            change(copy, row, self.with_own_tags(History(origin=card), times, dots))
            base.copies = sorted(base.copies + [copy])

    def with_own_tags(self, history, times, dots):
        """Returns a history with the tags of a content, of each its dots and, if those differ, its time."""
        history.own, history.dots = sorted(times), {tag: dots[tag] for tag in times}
        if len(set(times.values())) > 1 and self.without != "times":
            history.times = times
        return history

    def is_publisher(self, ours, others, publisher):
        """Whether this replica is to publish a family after a merge."""
        if publisher is None:
            return True
        known, published = ours.context or {}, others.context or {}
        unknown = [tag for tag in ours.places if not others.knows(tag, ours.dots.get(tag, ()))]
        if any(tag in ours.dots and covers(published, ours.dots[tag]) for tag in unknown):
            return True
        if unknown or not covers(published, known):
            return ours.publishes
        return ours.publishes and covers(known, published) and self.number < publisher

    @property
    def contents(self):
        """Its cards, the newest content of each with its time and tags, and what makes their revisions."""
        return {card: (row, self.histories[card].own, self.histories[card].times,
                       0 if self.histories[card].origin else writes(self.histories[card].context))
                for card, row in self.rows.items()}


def combined(contents):
    """The different contents of some tags, the card's first: each with its latest time, and the time of each tag."""
    times = {}
    for tag, (time, name) in contents.items():
        times.setdefault(name, {})[tag] = time
    alike = [((max(some.values()), name), some) for name, some in times.items()]
    return sorted(alike, key=lambda one: one[0], reverse=True)


def batches(segments, without=None):
    """Unites segments, of which later ones replace families, unless a card is a conflict copy in only one of them."""
    rows, histories = {}, {}
    for new_rows, new_histories in segments:
        common = new_histories.keys() & histories.keys()
        if without != "roles" and any(new_histories[card].origin != histories[card].origin for card in common):
            yield rows, histories
            rows, histories = {}, {}
        replaced = {card for card, history in new_histories.items() if not history.origin}
        for card in [card for card, history in histories.items() if card in replaced or history.origin in replaced]:
            del histories[card]
            rows.pop(card, None)
        rows.update(new_rows)
        histories.update(new_histories)
    yield rows, histories


def united(families):
    """The rows and the histories of several families."""
    rows, histories = {}, {}
    for some_rows, some_histories in families:
        rows.update(some_rows)
        histories.update(some_histories)
    return rows, histories


class World:
    """Machines, and what must be there in the end."""

    def __init__(self, count, without=None):
        self.machines = [Machine(number, without) for number in range(count)]
        self.tag, self.present = 0, set()

    def run(self, step):
        """Takes one step of a history; one that is impossible, as in a part of the history, is left out."""
        kind, number, *rest = step
        machine = self.machines[number]
        machine.clock += 10
        if kind == "clock":
            machine.clock += rest[0]
        elif kind == "snapshot":
            machine.publish_snapshot()
        elif kind == "read":
            for other, behind in rest[0]:
                machine.read(self.machines[other], len(self.machines[other].stream) - behind)
            machine.publish()
        elif kind == "create":
            self.write(machine, "card", rest[0])
            machine.publish()
        elif rest[0] in machine.rows:
            self.write(machine, *rest)

    def write(self, machine, card, name=None):
        """Lets a user write a card or, without a name, delete it."""
        self.present.difference_update(machine.histories.get(card, History()).own)
        self.tag += 1
        if name is not None:
            self.present.add(self.tag)
        machine.write(card, name, self.tag)

    def problem(self):
        """Lets all machines read everything, and returns what is wrong then."""
        for _ in range(4):
            for machine in self.machines:
                for other in self.machines:
                    if other is not machine:
                        machine.read(other, len(other.stream))
                machine.publish()
        first = self.machines[0].contents
        if any(machine.contents != first for machine in self.machines):
            return "the machines differ"
        return "something is lost" if self.present.difference(*(own for _, own, *_ in first.values())) else None


def problem(steps, without=None):
    """Returns what is wrong after some steps, also without one of the rules."""
    world = World(1 + max(step[1] for step in steps), without)
    for step in steps:
        world.run(step)
    return world.problem()


def random_steps(seed):
    """Returns a random history, and what is wrong after it."""
    chance = random.Random(seed)
    count = chance.randint(2, 6)
    world = World(count)
    names = range(chance.choice([2, 3, 3, 1000]))
    steps = []

    def take(*step):
        steps.append(step)
        world.run(step)

    take("create", 0, chance.choice(names))
    for number in range(1, count):
        take("read", number, ((0, 0),))
    for _ in range(chance.choice([20, 40, 80, 160])):
        number, kind = chance.randrange(count), chance.random()
        cards = sorted(world.machines[number].rows)
        if kind < 0.35 and cards:
            take("edit", number, chance.choice(cards), chance.choice(names))
        elif kind < 0.5 and cards:
            take("delete", number, chance.choice(cards))
        elif kind < 0.55:
            take("clock", number, chance.choice([-300, -100, 100, 300]))
        elif kind < 0.58:
            take("snapshot", number)
        else:
            others = [other for other in range(count) if other != number and chance.random() < 0.5]
            take("read", number, tuple((other, chance.choice([0, 0, 0, 1])) for other in chance.sample(others, len(others))))
    return steps, world.problem()


def shortened(steps):
    """Returns a part of a history that still fails, of which no step can be left out."""
    for index in reversed(range(1, len(steps))):
        rest = steps[:index] + steps[index + 1:]
        if problem(rest):
            return shortened(rest)
    return steps


def main():
    """Checks histories until one fails."""
    count, first = (int(word) for word in (sys.argv[1:] + ["10000", "0"][len(sys.argv) - 1:]))
    for rule, steps in NEEDED.items():
        assert problem(steps) is None, rule
        assert problem(steps, without=rule), rule
    step_count = 0
    for seed in range(first, first + count):
        steps, wrong = random_steps(seed)
        step_count += len(steps)
        if wrong:
            print(f"history {seed}: {wrong}", *shortened(steps), sep="\n  ")
            sys.exit(1)
    print(f"merging: {count} histories of a card in a model, {step_count} steps, nothing lost, no machine differs")


if __name__ == "__main__":
    main()
