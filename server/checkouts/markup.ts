/**
 * Renders the element `<gateway-checkout>` for a page, with a button that works before and without the element's
 * script.
 *
 * The button lies in a declarative shadow root and submits a form to `POST /checkout/initiate`. When the script
 * arrives, the element takes over this very button: the nodes, parts and styles equal those that the element creates
 * itself (`widget/button/frame.ts` and `widget/button/frame.css`), so nothing moves. Pure.
 */

import { FIRST_WORDS } from 'gateway-checkout/words'

import { readLanguage } from '../contract/language.ts'
import { LONGEST } from '../contract/lengths.ts'

import type { Language } from 'gateway-checkout/words'

export interface RenderCheckoutOptions {
  /** Address of the payment server: absolute, or a path such as "/pay". */
  server: string
  /** The payer's full name. The plain form cannot ask for the payer; a prompt requires only the phone number. */
  payerName?: string | undefined
  /** The payer's e-mail address. */
  payerEmail?: string | undefined
  /** The payer's phone number, international or with `country`. */
  payerMsisdn?: string | undefined
  /** ISO 3166-1 alpha-2, such as "KE". Completes national phone numbers. */
  country?: string | undefined
  /**
   * Absolute URL to which the shopper returns. Default: the element's page; without JavaScript, a page of the server.
   */
  returnUrl?: string | undefined
  /** How the hosted page opens. Default: `auto`. */
  launch?: 'auto' | 'redirect' | 'popup' | undefined
  /** `page`: the hosted page. `prompt`: the phone is asked. Default: `page`. */
  method?: 'page' | 'prompt' | undefined
  /**
   * BCP 47 tag of the shopper's language, or a locale such as `fr_FR`. Default: English, until the element knows the
   * page's language.
   */
  lang?: string | undefined
  /** Default: the `color-scheme` of the page. */
  theme?: 'auto' | 'light' | 'dark' | undefined
  /** The button's text. Default: "Pay" in the shopper's language, and the amount. */
  label?: string | undefined
  /** The amount, such as "KES 1500": shown, never sent. */
  amount?: string | undefined
  /** Who takes the money: shown, never sent. */
  payee?: string | undefined
  /** How a shopper can pay, such as "M-Pesa, Airtel Money, card": shown, never sent. */
  methods?: string | undefined
  /** Where a shopper reaches the shop: `tel:`, `mailto:` or `https:`, several with `|` between them. */
  help?: string | undefined
  /** Address of a square picture of the payee. */
  logo?: string | undefined
  /** Name of the element as a form control. */
  name?: string | undefined
  /** Whether a form around the element is valid only once the checkout is paid. */
  required?: boolean | undefined
  /** Whether the page is dimmed while the pop-up is open. */
  overlay?: boolean | undefined
  /** Whether the button cannot be pressed. */
  disabled?: boolean | undefined
  /** Nonce of the page's Content Security Policy, for the style sheet. */
  nonce?: string | undefined
}

/** Returns the value that a text means, or `null` if it does not keep the rule, and this rule in words. */
type Rule = readonly [read: (text: string) => string | null, words: string]

const matching =
  (pattern: RegExp): Rule[0] =>
  (text) =>
    pattern.test(text) ? text : null

const readAddress = matching(
  /^(https?:\/\/[A-Za-z0-9.:[\]-]+|\/[A-Za-z0-9._~%-]+)(\/[A-Za-z0-9._~%!$&'()*+,;=:@-]*)*$/,
)
const ADDRESS: Rule = [
  (text) => readAddress(text)?.replace(/\/+$/, '') ?? null,
  'must be an http or https address without query, or a path such as /pay',
]

/** The rules of the texts, in the order of the attributes. Lengths are those that the server accepts. */
const RULES: Readonly<Record<string, Rule>> = {
  server: ADDRESS,
  order: text(LONGEST.order),
  payerName: text(LONGEST.name),
  payerEmail: text(LONGEST.email),
  payerMsisdn: text(LONGEST.phoneNumber),
  country: [matching(/^[A-Za-z]{2}$/), 'must be a country code of two letters'],
  returnUrl: [matching(/^https?:\/\/[!-;=?-~]{1,1990}$/), 'must be an absolute http or https address'],
  launch: [matching(/^(auto|redirect|popup)$/), 'must be auto, redirect or popup'],
  method: [matching(/^(page|prompt)$/), 'must be page or prompt'],
  lang: [readLanguage, 'must be a language tag, such as sw or en-KE'],
  theme: [matching(/^(auto|light|dark)$/), 'must be auto, light or dark'],
  label: text(200),
  amount: text(100),
  payee: text(200),
  methods: text(200),
  help: text(1000),
  logo: text(1000),
  name: text(100),
  nonce: [matching(/^[A-Za-z0-9+/_-]+={0,2}$/), 'must be base64'],
}
const FLAGS = ['required', 'overlay', 'disabled'] as const

/** The texts that the form sends. */
const SENT = ['order', 'payerName', 'payerEmail', 'payerMsisdn', 'country', 'returnUrl', 'method', 'lang']

/**
 * The rules of the element's style sheet that its button needs, with the same specificity or less, so that the
 * element's own style sheet takes precedence.
 */
const STYLE = `
:host{display:block;max-inline-size:max(26rem,416px)}
:host([hidden]){display:none}
:host([theme=light]),:host([theme=dark]){color:CanvasText;color-scheme:dark}
:host([theme=light]){color-scheme:light}
*{box-sizing:border-box;margin:0}
.base{all:initial;--accent:var(--gateway-checkout-accent,#0f6e5c);--radius:var(--gateway-checkout-radius,12px);display:block;position:relative;color:var(--gateway-checkout-text,inherit);color-scheme:inherit;pointer-events:inherit;visibility:inherit;font-size:max(1rem,16px);line-height:1.45;font-family:var(--gateway-checkout-font,inherit)}
button{display:block;position:relative;inline-size:100%;padding:.8125em 2.5em;border:1px solid transparent;border-radius:var(--radius);color:var(--gateway-checkout-on-accent,#fff);background:var(--accent);font:inherit;font-weight:650;text-align:center;cursor:pointer}
.soft{color:color-mix(in srgb,currentColor 76%,transparent);font-size:.875em}
[part=terms],::slotted([slot=footer]){margin-block-start:.625em}
[part=terms]{text-align:center;text-wrap:balance}
[part=terms]::before{display:inline-block;padding:.4em .4em 0;margin-inline-end:.5em;border-bottom:.5em solid;background:radial-gradient(at bottom,#0000 30%,currentColor 36% 54%,#0000 58%) no-repeat;content:''}
:disabled{cursor:not-allowed;opacity:.6}
:focus-visible{outline:3px solid color-mix(in srgb,var(--accent) 65%,CanvasText);outline-offset:2px;box-shadow:0 0 0 2px Canvas}
@media(hover:hover){button:hover:enabled{background-image:linear-gradient(#0002 0 0)}}
button:active{background-image:linear-gradient(#0004 0 0)}
`

/**
 * Returns the element as HTML for a page. The page's policy needs the payment server and the hosts of the hosted page
 * under `form-action`, because browsers also check redirects, and `nonce` under `style-src`.
 *
 * @param order The value of the attribute `order`: a reference or a signed order.
 * @throws {TypeError} if a value is missing, unknown or invalid. The message names the option and the rule.
 * @example
 * const html = renderCheckout(order, {
 *   server: 'https://pay.shop.example',
 *   amount: 'KES 1500',
 *   payerName: 'Asha Otieno',
 *   payerEmail: 'asha@example.com',
 *   payerMsisdn: '+254700000001',
 * })
 */
export function renderCheckout(order: string, options: RenderCheckoutOptions): string {
  const values = readValues({ ...options, order })
  const flags = FLAGS.filter((flag) => readFlag(options, flag))
  const nonce = values.get('nonce')
  const texts = [...values].filter(([name]) => name !== 'nonce')
  const attributes = texts.map(([name, value]) => `${separate(name, '-')}="${escape(value)}"`)
  return (
    `<${['gateway-checkout', ...attributes, ...flags].join(' ')}>` +
    '<template shadowrootmode="open" shadowrootdelegatesfocus>' +
    `<style${nonce ? ` nonce="${nonce}"` : ''}>${STYLE}</style>${form(values)}${button(values, flags.includes('disabled'))}` +
    '</template></gateway-checkout>'
  )
}

function form(values: Values): string {
  const fields = SENT.flatMap((name) => {
    const value = values.get(name)
    return value ? `<input type="hidden" name="${separate(name, '_')}" value="${escape(value)}">` : []
  })
  const action = `${values.get('server')}/checkout/initiate`
  return `<form id="form" method="post" target="_top" action="${escape(action)}" accept-charset="utf-8" hidden>${fields.join('')}</form>`
}

function button(values: Values, isDisabled: boolean): string {
  const { label, amount = '', lang = '', payee, methods } = Object.fromEntries(values)
  const language = languageOf(lang)
  const { dir, pay } = FIRST_WORDS[language]
  const shownAmount = language === 'en' ? inEnglish(amount) : amount
  const words = label ?? [pay, shownAmount].filter(Boolean).join(' ')
  const terms = [label && shownAmount, payee, methods].filter(Boolean).join(' · \u200f')
  return (
    `<div part="base" class="base" lang="${language}" dir="${dir}">` +
    '<div><div part="status" class="idle" role="status" aria-atomic="false"></div>' +
    `<button part="button" form="form"${isDisabled ? ' disabled' : ''}><slot part="label" name="label">${escape(words)}</slot></button></div>` +
    `<p part="terms" class="soft">${escape(terms)}</p><slot name="footer"></slot></div>`
  )
}

/** Returns the language of a tag; English if the element has no words in it. */
function languageOf(tag: string): Language {
  const language = tag.toLowerCase().replace(/-.*/, '')
  return isLanguage(language) ? language : 'en'
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(FIRST_WORDS, text)
}

/** Writes an amount like "KES 1500" as the element does in English: "KES 1,500". */
function inEnglish(amount: string): string {
  if (!/^[A-Z]{3} \d{1,18}$/.test(amount)) {
    return amount
  }
  return amount.replace(' ', '\u00a0').replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/** The given texts by the name of their option, in the order of the attributes. */
type Values = ReadonlyMap<string, string>

/** @throws {TypeError} if a text is missing, unknown or invalid. */
function readValues(options: Readonly<Record<string, unknown>>): Values {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(RULES, name) && !FLAGS.some((flag) => flag === name)) {
      throw new TypeError(`${name} is no option`)
    }
  }

  const values = new Map<string, string>()
  for (const [name, [read, words]] of Object.entries(RULES)) {
    const given = options[name] ?? ''
    if (typeof given !== 'string') {
      throw new TypeError(`${name} must be text`)
    }
    if (given === '') {
      continue
    }

    const value = read(given)
    if (value === null) {
      throw new TypeError(`${name} ${words}`)
    }

    values.set(name, value)
  }

  const payer = values.get('method') === 'prompt' ? [] : ['payerName', 'payerEmail']
  for (const name of ['server', 'order', ...payer, 'payerMsisdn']) {
    if (!values.has(name)) {
      throw new TypeError(`${name} is missing`)
    }
  }

  return values
}

function readFlag(options: RenderCheckoutOptions, flag: (typeof FLAGS)[number]): boolean {
  const value: unknown = options[flag] ?? false
  if (typeof value !== 'boolean') {
    throw new TypeError(`${flag} must be true or false`)
  }
  return value
}

function text(most: number): Rule {
  return [
    matching(new RegExp(`^(?=.*[^ ])[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]{1,${most}}$`, 'u')),
    `must be at most ${most} characters, without control characters and not blank`,
  ]
}

/** Writes a name in camel case as words: `payerName` as "payer-name" or "payer_name". */
function separate(name: string, separator: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => separator + letter.toLowerCase())
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for an element or a quoted attribute. */
function escape(value: string): string {
  return value.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
}
