"""Writes the tag for your page with a button that works before and without the element's script.

from render_checkout import render_checkout
render_checkout(order, server="https://pay.shop.example", amount="KES 1500", payer_name="Asha Otieno",
                payer_email="asha@example.com", payer_msisdn="+254700000001")
"""

import re

PAY = {"en": "Pay", "ar": "ادفع", "fr": "Payer", "pt": "Pagar", "sw": "Lipa"}
SENT = ("order", "payer_name", "payer_email", "payer_msisdn", "country", "return_url", "method", "lang")
FLAGS = ("required", "overlay", "disabled")


def text(most):
    return (
        rf"(?=.*[^ ])[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]{{1,{most}}}",
        f"must be at most {most} characters, without control characters and not blank",
    )


# The rules of the texts, in the order of the attributes.
RULES = {
    "server": (
        r"(https?://[A-Za-z0-9.:\[\]-]+|/[A-Za-z0-9._~%-]+)(/[A-Za-z0-9._~%!$&'()*+,;=:@-]*)*",
        "must be an http or https address without query, or a path such as /pay",
    ),
    "order": text(4000),
    "payer_name": text(100),
    "payer_email": text(100),
    "payer_msisdn": text(25),
    "country": (r"[A-Za-z]{2}", "must be a country code of two letters"),
    "return_url": (r"https?://[!-;=?-~]{1,1990}", "must be an absolute http or https address"),
    "launch": (r"auto|redirect|popup", "must be auto, redirect or popup"),
    "method": (r"page|prompt", "must be page or prompt"),
    "lang": (r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}", "must be a language tag, such as sw or en-KE"),
    "theme": (r"auto|light|dark", "must be auto, light or dark"),
    "label": text(200),
    "amount": text(100),
    "payee": text(200),
    "name": text(100),
    "nonce": (r"[A-Za-z0-9+/_-]+={0,2}", "must be base64"),
}

# The rules of the element's style sheet that its button needs.
STYLE = """
:host{display:block;max-inline-size:max(26rem,416px)}
:host([hidden]){display:none}
:host([theme=light]),:host([theme=dark]){color:CanvasText;color-scheme:dark}
:host([theme=light]){color-scheme:light}
*{box-sizing:border-box;margin:0}
.base{all:initial;--accent:var(--gateway-checkout-accent,#0f6e5c);--radius:var(--gateway-checkout-radius,12px);display:block;position:relative;color:var(--gateway-checkout-text,inherit);color-scheme:inherit;pointer-events:inherit;visibility:inherit;font-size:max(1rem,16px);line-height:1.45;font-family:var(--gateway-checkout-font,inherit)}
button{display:block;position:relative;inline-size:100%;padding:.8125em 2.5em;border:1px solid transparent;border-radius:var(--radius);color:var(--gateway-checkout-on-accent,#fff);background:var(--accent);font:inherit;font-weight:650;text-align:center;cursor:pointer}
.soft{color:color-mix(in srgb,currentColor 76%,transparent);font-size:.875em}
[part=terms],::slotted([slot=footer]){margin-block-start:.625em}
[part=terms]{text-align:center}
:disabled{cursor:not-allowed;opacity:.6}
:focus-visible{outline:3px solid color-mix(in srgb,var(--accent) 65%,CanvasText);outline-offset:2px;box-shadow:0 0 0 2px Canvas}
@media(hover:hover){button:hover:enabled{background-image:linear-gradient(#0002 0 0)}}
button:active{background-image:linear-gradient(#0004 0 0)}
"""


def render_checkout(order, **options):
    """Returns the element as HTML. Raises a ValueError that names the option and the rule.

    order: a reference or a signed order. options: those in RULES and FLAGS; server and the payer's name, e-mail address
    and phone number are required (with method="prompt", only the number). amount and payee are shown and never sent.
    """
    values = read_values({**options, "order": order})
    required, overlay, disabled = (read_flag(options, flag) for flag in FLAGS)
    nonce = values.pop("nonce", "")
    attributes = "".join(f' {name.replace("_", "-")}="{escape(value)}"' for name, value in values.items())
    style = f'<style nonce="{nonce}">{STYLE}</style>' if nonce else f"<style>{STYLE}</style>"
    return (
        f"<gateway-checkout{attributes}{required}{overlay}{disabled}>"
        '<template shadowrootmode="open" shadowrootdelegatesfocus>'
        f"{style}{form(values)}{button(values, disabled)}"
        "</template></gateway-checkout>"
    )


def form(values):
    fields = "".join(
        f'<input type="hidden" name="{name}" value="{escape(values[name])}">' for name in SENT if name in values
    )
    action = escape(values["server"] + "/checkout/initiate")
    return f'<form id="form" method="post" action="{action}" hidden>{fields}</form>'


def button(values, disabled):
    label, amount, payee = (values.get(name, "") for name in ("label", "amount", "payee"))
    language = values.get("lang", "").lower().split("-")[0]
    if language not in PAY:
        language = "en"
    if language == "en":
        amount = in_english(amount)
    said = label or " ".join(part for part in (PAY[language], amount) if part)
    terms = " · \u200f".join(part for part in (amount if label else "", payee) if part)
    return (
        f'<div part="base" class="base" lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">'
        '<div><div part="status idle" role="status" aria-atomic="false"></div>'
        f'<button part="button" form="form"{disabled}><slot part="label" name="label">{escape(said)}</slot></button></div>'
        f'<p part="terms" class="soft"{"" if terms else " hidden"}>{escape(terms)}</p><slot name="footer"></slot></div>'
    )


def in_english(amount):
    """Writes an amount like "KES 1500" as the element does in English: "KES 1,500"."""
    if not re.fullmatch(r"[A-Z]{3} [0-9]{1,18}", amount):
        return amount
    return re.sub(r"\B(?=([0-9]{3})+$)", ",", amount.replace(" ", "\u00a0"))


def read_values(given):
    for name in given:
        if name not in RULES and name not in FLAGS:
            raise ValueError(f"{name} is no option")
    values = {}
    for name, (pattern, rule) in RULES.items():
        value = "" if given.get(name) is None else given[name]
        if not isinstance(value, str):
            raise ValueError(f"{name} must be text")
        if value and not re.fullmatch(pattern, value):
            raise ValueError(f"{name} {rule}")
        if value:
            values[name] = value.rstrip("/") if name == "server" else value
    payer = () if values.get("method") == "prompt" else ("payer_name", "payer_email")
    for name in ("server", "order", *payer, "payer_msisdn"):
        if name not in values:
            raise ValueError(f"{name} is missing")
    return values


def read_flag(options, flag):
    value = options.get(flag)
    if value is not None and not isinstance(value, bool):
        raise ValueError(f"{flag} must be true or false")
    return f" {flag}" if value else ""


def escape(value):
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        value = value.replace(character, entity)
    return value
