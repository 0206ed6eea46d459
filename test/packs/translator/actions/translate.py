import six

from base import TranslatorAction

WORDS = {"hello": "ahoj", "world": "svete"}


class TranslateAction(TranslatorAction):
    def run(self, text, strict=False):
        words = text.split()
        unknown = [word for word in words if word not in WORDS]
        if strict and unknown:
            return False, {"unknown": unknown}
        translated = six.moves.map(lambda word: WORDS.get(word, word), words)
        return {"text": " ".join(translated), "by": self.signature(), "at": self.address}
