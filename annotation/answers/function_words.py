"""Words that carry grammar rather than content, by language: articles, negations, yes and no, …

All are case-folded. Languages that are not listed have none, so that their texts are compared
word by word.
"""

from __future__ import annotations

from collections.abc import Mapping

_Words = Mapping[str, str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _of_language(words: _Words, language: str, *, english: bool = True) -> frozenset[str]:
    """The words of a language; those of English too, which answers are often given in."""
    languages = {language, "en"} if english else {language}
    return frozenset[str]().union(*(_words(words.get(code, "")) for code in languages))


_ARTICLES = {
    "en": "a an the my your his her its our their",
    "de": "der die das den dem des ein eine einen einem einer eines sein seine seinen seinem seiner"
    " ihr ihre ihren ihrem ihrer unser unsere unseren unserem unserer",
    "fr": "le la les l un une des son sa ses leur leurs notre nos",
    "es": "el la los las un una su sus",
    "it": "il lo la gli le l un una uno suo sua",
    "pt": "o os a as um uma seu sua",
    "nl": "de het een hun zijn haar",
}
"""With possessives: “our sales” in a report are “its sales” in an answer."""
_LIGHT = {
    "en": "is are was were be been being has have had do does did it they he she we this that there"
    " and of in on at to by for from with which who as",
    "de": "ist sind war waren sei wird werden wurde wurden hat haben hatte hatten es sie er wir"
    " dies sich und in im am an auf bei von vom zu zum zur um mit für",
    "fr": "est sont était étaient a ont il elle ils elles ce c qui de d du des et en à au aux dans"
    " sur par pour avec son sa ses",
    "es": "es son era fue fueron ha han se su sus que de del y en a al con por para",
    "it": "è sono era erano ha hanno si suo sua che di del della dei delle e in a al da con per",
    "pt": "é são era foi foram tem têm se seu sua que de do da dos das e em no na ao com por para",
    "nl": "is zijn was waren heeft hebben had werd werden het zij hij van en in op aan met voor",
}
_FINITE_VERBS = {
    "en": "is are was were has have had does did will can could would",
    "de": "ist sind war waren hat haben hatte hatten wird werden wurde wurden kann",
    "fr": "est sont était étaient ont",
    "es": "es son era fue fueron ha han",
    "it": "è sono era erano ha hanno",
    "pt": "é são era foi foram tem têm",
    "nl": "is zijn was waren heeft hebben werd werden",
}
"""Which only sentences contain."""
_VAGUE_NUMBERS = {
    "en": "one once twice thrice half third thirds quarter quarters dozen both double doubled"
    " tripled several few",
    "de": "eins einmal zweimal dreimal halb halbe hälfte drittel viertel dutzend beide beiden"
    " doppelt verdoppelt mehrere wenige",
    "fr": "demi moitié tiers quart douzaine double plusieurs",
    "es": "medio mitad tercio cuarto docena doble varios",
    "it": "mezzo metà terzo quarto dozzina doppio",
    "pt": "meio metade terço quarto dúzia dobro vários",
    "nl": "half helft derde kwart dozijn dubbel beide",
}
"""Which may state a quantity, and are not read as one."""
_APPROXIMATE = {
    "en": "about approximately approx around roughly some c ca circa nearly almost exactly total",
    "de": "etwa rund circa ca ungefähr knapp gut insgesamt genau",
    "fr": "environ près",
    "es": "aproximadamente cerca unos unas",
    "it": "circa",
    "pt": "aproximadamente cerca",
    "nl": "ongeveer circa ca",
}
_NEGATIONS = {
    "en": "no not never none neither nor without nothing nobody cannot except excluding nil",
    "de": "nein nicht kein keine keinen keinem keiner keines nie niemals ohne weder nichts niemand"
    " außer",
    "fr": "non ne n pas aucun aucune jamais sans ni rien sauf",
    "es": "no ni nunca ningún ninguno ninguna sin nada excepto",
    "it": "non no né mai nessun nessuno nessuna senza nulla tranne",
    "pt": "não nem nunca nenhum nenhuma sem nada exceto",
    "nl": "niet nee geen nooit zonder niets behalve",
}
_YES = {
    "en": "yes",
    "de": "ja doch",
    "fr": "oui si",
    "es": "sí",
    "it": "sì",
    "pt": "sim",
    "nl": "ja",
    "sv": "ja",
    "da": "ja",
    "no": "ja",
    "nb": "ja",
    "pl": "tak",
    "ru": "да",
}
_NO = {
    "en": "no",
    "de": "nein",
    "fr": "non",
    "es": "no",
    "it": "no",
    "pt": "não",
    "nl": "nee",
    "sv": "nej",
    "da": "nej",
    "no": "nei",
    "nb": "nei",
    "pl": "nie",
    "ru": "нет",
}
_NONE = {
    "en": "no none",
    "de": "kein keine keinen keinem keiner keines",
    "nl": "geen",
}
"""Words that answer a polar question with no, if its noun follows or nothing does."""
_AUXILIARIES = {
    "en": "is are was were am do does did has have had can could will would shall should may might"
    " must",
    "fr": "est",
}
_VERB_FIRST = frozenset(("de", "nl", "sv", "da", "no", "nb"))
"""Languages in which any verb can begin a polar question, and few other words begin one."""
_MARKED_BY_SIGN = frozenset(("fr", "es", "it", "pt"))
"""Languages in which a polar question may differ from a statement by its question mark only."""
_INTERROGATIVES = {
    "en": "what when where which who whom whose why how list name give state",
    "de": "wer wen wem wessen was wann wo woher wohin warum weshalb wieso wie wieviel wieviele"
    " welche welcher welches welchen welchem womit wodurch wofür worin worauf woran wovon wozu"
    " nenne nennen",
    "fr": "que quoi quel quelle quels quelles qui quand où pourquoi comment combien lequel"
    " laquelle",
    "es": "qué cuál cuáles quién quiénes cuándo dónde cómo cuánto cuánta cuántos cuántas",
    "it": "che cosa quale quali chi quando dove perché come quanto quanta quanti quante",
    "pt": "que qual quais quem quando onde como quanto quanta quantos quantas",
    "nl": "wat wie wanneer waar welke welk waarom hoe hoeveel",
    "sv": "vad vem när var vilken vilket vilka varför hur",
    "da": "hvad hvem hvornår hvor hvilken hvilket hvilke hvorfor hvordan",
    "no": "hva hvem når hvor hvilken hvilket hvilke hvorfor hvordan",
    "nb": "hva hvem når hvor hvilken hvilket hvilke hvorfor hvordan",
}
_PREPOSITIONS = {
    "en": "in on at by for from to of with under during after before since until as according"
    " based given considering using within per about",
    "de": "in im an am auf bei von vom zu zum zur um mit für unter nach vor seit bis laut gemäß aus"
    " über durch ab zwischen",
    "fr": "en à au dans sur par pour de depuis selon avec d'après avant après",
    "es": "en a de por para con según desde hasta",
    "it": "in a di da per con secondo",
    "pt": "em no na a de por para com segundo desde",
    "nl": "in op aan bij van met voor sinds volgens na",
}
_ALTERNATIVES = {
    "en": "or versus vs",
    "de": "oder",
    "fr": "ou",
    "es": "o u",
    "it": "o oppure",
    "pt": "ou",
    "nl": "of",
    "sv": "eller",
    "da": "eller",
    "no": "eller",
    "nb": "eller",
    "pl": "czy lub albo",
    "ru": "или",
}
_CONJUNCTIONS = {
    "en": "and",
    "de": "und sowie",
    "fr": "et",
    "es": "y e",
    "it": "e ed",
    "pt": "e",
    "nl": "en",
    "sv": "och",
    "da": "og",
    "no": "og",
    "nb": "og",
}
_BEFORE_TIME = {
    "en": "before after by until since from to early late mid end beginning start around between"
    " through till not",
    "de": "vor nach bis seit ab anfang mitte ende früh spät frühen späten gegen zwischen nicht",
    "fr": "avant après depuis jusque début fin mi vers entre",
    "es": "antes después desde hasta principios finales mediados hacia entre",
    "it": "prima dopo da fino inizio fine metà verso tra",
    "pt": "antes depois desde até início fim meados entre",
    "nl": "voor na sinds tot begin eind midden rond tussen",
}
TITLES = _words(
    "mr mrs ms miss dr prof professor sir dame lord lady herr frau doktor dipl ing phd monsieur"
    " madame mme señor señora sr sra signor signora dott mevrouw meneer"
)
"""Of persons, before the name; one of two texts may leave them out."""
LEGAL_FORMS = _words(
    "inc incorporated ltd limited llc llp plc corp corporation co company ag gmbh kg kgaa se sa sas"
    " sarl spa srl nv bv ab oy"
)
"""Of companies, after the name; one of two texts may leave them out."""
NUMBER_WORDS = {
    language: {word: number for number, word in enumerate(words.split(), start=2)}
    for language, words in {
        "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
        "fr": "deux trois quatre cinq six sept huit neuf dix onze douze",
        "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce",
        "it": "due tre quattro cinque sei sette otto nove dieci undici dodici",
        "pt": "dois três quatro cinco seis sete oito nove dez onze doze",
        "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf",
    }.items()
}
"""From two to twelve; those of English are in ``vocabulary``."""


class FunctionWords:
    """The words of one language.

    Attributes:
        articles: dropped wherever they are not the last word.
        light: auxiliaries, pronouns and prepositions, which say nothing on their own.
        neutral: what a quantity may be surrounded by without another meaning.
        negations: what turns a statement into its opposite.
        finite_verbs: which only a sentence has.
        vague_numbers: which may state a quantity and are not read as one.
        none: what answers a polar question with no, before a noun or alone.
        time_modifiers: what makes a date the limit or a part of a period.
        is_verb_first: whether any verb can begin a polar question.
        is_marked_by_sign: whether a question mark alone can make a polar question.
    """

    def __init__(self, language: str) -> None:
        portuguese = language == "pt"  # in which the English “no” and “a” are prepositions
        self.articles = _of_language(_ARTICLES, language)
        self.light = _of_language(_LIGHT, language) - _of_language(_NEGATIONS, language)
        self.finite_verbs = _of_language(_FINITE_VERBS, language)
        self.vague_numbers = _of_language(_VAGUE_NUMBERS, language)
        self.approximate = _of_language(_APPROXIMATE, language)
        self.neutral = self.articles | self.light | self.approximate
        self.negations = _of_language(_NEGATIONS, language, english=not portuguese)
        self.yes = _of_language(_YES, language)
        self.no = _of_language(_NO, language, english=not portuguese)
        self.none = _of_language(_NONE, language, english=not portuguese)
        self.auxiliaries = _of_language(_AUXILIARIES, language)
        self.interrogatives = _of_language(_INTERROGATIVES, language)
        self.prepositions = _of_language(_PREPOSITIONS, language)
        self.alternatives = _of_language(_ALTERNATIVES, language, english=language not in ("nl",))
        self.conjunctions = _of_language(_CONJUNCTIONS, language)
        self.time_modifiers = _of_language(_BEFORE_TIME, language) - self.negations
        self.is_verb_first = language in _VERB_FIRST
        self.is_marked_by_sign = language in _MARKED_BY_SIGN


_BY_LANGUAGE = {code: FunctionWords(code) for code in sorted({*_YES, *_ARTICLES, *_INTERROGATIVES})}
_OTHER = FunctionWords("en")


def function_words(language: str) -> FunctionWords:
    """Of a language, given as its code; of English where nothing is known of it."""
    return _BY_LANGUAGE.get(language, _OTHER)
