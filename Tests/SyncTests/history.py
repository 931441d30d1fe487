"""Random changes on several machines, and what must be left of them."""

from machine import MARK


class History:
    """Makes changes, and knows of each value that was answered whether a later change had seen it.

    A value stays until a change that saw it was made: an update or the deletion of the card, on the machine where it was the
    card's value. Whatever else happens, it is the value of a card at the end, or of a conflict copy.
    """

    def __init__(self, draw):
        self.random = draw
        self.count = 0
        self.answered = 0
        self.standing = set()
        # The cards that a machine has created or looked at.
        self.known = {}

    def change(self, machine, excused=frozenset()):
        """Creates, changes or deletes a card. Returns whether it did; None if it was refused for a reason that is excused."""
        self.count += 1
        value = "%s-%d %s" % (machine.name, self.count, MARK)
        known = self.known.setdefault(machine.name, [])
        kind = self.random.choices(["create", "update", "delete"], [5, 12, 1])[0]
        if kind == "create" or not known:
            answer = machine.server.ask(
                "card/create", title=value, group="personal", type="text", fields={"text": value})
            if "error" in answer:
                assert answer["error"]["data"]["kind"] in excused, answer
                return None
            known.append(answer["result"]["card"]["id"])
        else:
            card = self.random.choice(known)
            answer = machine.server.ask("card/get", id=card)
            if "error" in answer:
                assert answer["error"]["data"]["kind"] == "card.notFound", answer
                known.remove(card)
                return False
            card = answer["result"]["card"]
            if kind == "delete":
                answer = machine.server.ask("card/delete", id=card["id"], revision=card["revision"])
            else:
                answer = machine.server.ask(
                    "card/update", id=card["id"], revision=card["revision"], fields={"text": value})
            if "error" in answer:
                kind = answer["error"]["data"]["kind"]
                # What another machine wrote arrived in between.
                assert kind in excused or kind in ("card.conflict", "card.notFound"), answer
                return None if kind in excused else False
            self.standing.discard(card["fields"][0]["value"])
        if kind != "delete":
            self.standing.add(value)
        self.answered += 1
        return True

    def look(self, machine):
        """Lets a machine know some cards of others, so that it changes them, too."""
        page = machine.ask("card/list", limit=20, sort="modifiedAt", descending=True)
        self.known[machine.name] = [item["id"] for item in page["items"]]

    def lost(self, machine):
        """The values that were answered, and that no later change saw, but which are not in the vault."""
        return sorted(self.standing - {text for _, text in machine.cards().values()})
