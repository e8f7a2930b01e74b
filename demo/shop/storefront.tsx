// The shop's page, with the goods, the order and a drawer for developers. It works without JavaScript: the settings are
// a form, and the checkout is the rendered button or a second form.

import { formatMoney, LANGUAGES, PAYER_FIELDS } from 'gateway-checkout/words'
import { html, raw } from 'hono/html'

import { renderCheckout } from '../../server/index.ts'
import { CURRENCY, goodAt, GOODS, orderPage, SHOP_NAME } from './goods.ts'
import { addressOf, LAUNCHES, PAYERS, THEMES } from './settings.ts'
import { scriptAddress, renderSnippet, tagAttributes, tagOptions } from './tag.ts'

import type { Settings } from './settings.ts'
import type { Words } from 'gateway-checkout/words'
import type { Child } from 'hono/jsx'

interface StorefrontProps {
  bff: string
  order: string
  isPaid: boolean
  /** Whether a payment can be started. If not, and the order is not paid, money may be on its way. */
  isStartable: boolean
  settings: Settings
  /** Nonce of the page's Content Security Policy, for the style sheet of the button. */
  nonce: string
  /** The words of the tag's language, for the form without scripts. */
  words: Words
}

const formatPrice = (amount: number) => formatMoney(String(amount), CURRENCY, 'en')

/** Each language as it names itself, such as "Kiswahili". */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  LANGUAGES.map((language) => {
    const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
    return [language, name.charAt(0).toLocaleUpperCase(language) + name.slice(1)]
  }),
)

/** Runs before anything is drawn: a shopper who returns from the payment page sees the order first, as in `till.ts`. */
const RETURNED = `if (location.hash.startsWith('#gateway-checkout-')) document.documentElement.className = 'returned'`

export function renderStorefront(props: StorefrontProps) {
  const content = (
    <>
      <script nonce={props.nonce}>{raw(RETURNED)}</script>
      <aside class="notice">A demonstration shop: nothing is sold and no real money moves.</aside>
      <header>
        <p class="brand">{SHOP_NAME}</p>
        <p class="quiet">Mombasa</p>
      </header>
      <main>
        <Shelf {...props} />
        <Till {...props} />
      </main>
      <Bench {...props} />
    </>
  )
  const { bff, settings } = props
  return documentOf({
    title: SHOP_NAME,
    style: 'storefront',
    scripts: { own: 'bench', bff },
    theme: settings.theme,
    content,
  })
}

/** The page of an address that does not exist. */
export function renderNotFound() {
  const content = (
    <>
      <header>
        <p class="brand">{SHOP_NAME}</p>
      </header>
      <main class="lost">
        <h1>This page does not exist</h1>
        <p class="quiet">The address may be mistyped, or out of date.</p>
        <a class="button" href="/">
          Go to the shop
        </a>
      </main>
    </>
  )
  return documentOf({ title: `Not found · ${SHOP_NAME}`, style: 'storefront', content })
}

interface ShopDocument {
  title: string
  style: string
  theme?: string
  content: Child
  /** The scripts of a page with the tag. */
  scripts?: { own: string; bff: string }
}

/** Returns a whole page. Its script stands before the element's, so that it misses no event. */
export function documentOf({ title, style, scripts, theme, content }: ShopDocument) {
  const page = (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={`/assets/${style}.css`} />
        {scripts && <script type="module" src={`/assets/${scripts.own}.js`} />}
        {scripts && <script type="module" src={scriptAddress(scripts.bff)} />}
      </head>
      <body>{content}</body>
    </html>
  )
  return html`<!doctype html>${page}`
}

function Shelf({ settings }: StorefrontProps) {
  return (
    <section class="shelf" aria-labelledby="shelf-title">
      <h1 id="shelf-title">From the coast and the hills</h1>
      <fieldset class="goods">
        <legend>Choose one</legend>
        {GOODS.map(({ id, name, detail, price }) => (
          <label class="ware">
            <input
              type="radio"
              form="settings"
              name="amount"
              value={price}
              checked={price === settings.amount}
            />
            <Picture good={id} />
            <span class="name">{name}</span>
            <span class="quiet">{detail}</span>
            <span class="price">{formatPrice(price)}</span>
          </label>
        ))}
      </fieldset>
    </section>
  )
}

function Till(props: StorefrontProps) {
  const { amount } = props.settings
  const price = formatPrice(amount)
  return (
    <section class="till card" aria-labelledby="till-title">
      <h2 id="till-title">Your order</h2>
      <dl class="lines">
        <Line label={goodAt(amount)} price={price} />
        <Line label="Delivery" price="Free" look="quiet" />
        <Line label="Total " price={price} look="total" />
      </dl>
      <Checkout {...props} />
      <p id="told" class="visually-hidden" role="status" />
    </section>
  )
}

type LineProps = { label: string; price: string; look?: 'quiet' | 'total' }

function Line({ label, price, look }: LineProps) {
  return (
    <div class={look}>
      <dt>{label}</dt>
      <dd>{price}</dd>
    </div>
  )
}

/**
 * Before the script and without it, the tag has a button if the shop knows the customer, and otherwise a form. Both
 * have no return URL, so the payment server shows the outcome, which this page could not show without a script. The tag
 * of an order that is paid, or whose payment has begun, has neither: the payment server says how it stands.
 */
function Checkout(props: StorefrontProps) {
  const { bff, order, isPaid, isStartable, settings, nonce, words } = props
  if (settings.payer === 'known' && isStartable) {
    return raw(renderCheckout(order, { ...tagOptions(settings, bff), nonce }))
  }

  const [title, sentence] = words.sentence.paid
  const paid = (
    <p class="plain" lang={words.language} dir={words.dir}>
      <strong>{title}</strong> {sentence}
    </p>
  )
  const begun = (
    <p class="plain" lang={words.language} dir={words.dir}>
      <a href={orderPage(bff, order)}>{words.openPage}</a>
    </p>
  )
  return (
    <gateway-checkout {...tagAttributes(settings, order, bff)}>
      {isPaid ? paid : isStartable ? <WithoutScript {...props} /> : begun}
    </gateway-checkout>
  )
}

// [spec: Limits]
const PAYER_INPUTS = {
  payer_name: { type: 'text', autocomplete: 'name', maxlength: 100 },
  payer_email: { type: 'email', autocomplete: 'email', maxlength: 100 },
  payer_msisdn: { type: 'tel', autocomplete: 'tel', maxlength: 25 },
} as const

function WithoutScript({ bff, order, settings, words }: StorefrontProps) {
  const { lang, amount } = settings
  const language = { lang: words.language, dir: words.dir }
  return (
    <form
      class="plain"
      method="post"
      target="_top"
      action={`${bff}/checkout/initiate`}
      accept-charset="utf-8"
      {...language}
    >
      <input type="hidden" name="order" value={order} />
      <input type="hidden" name="lang" value={lang} />
      {PAYER_FIELDS.map((name) => (
        <label>
          {words[name]} <input name={name} required {...PAYER_INPUTS[name]} />
        </label>
      ))}
      <button class="button quiet">
        {words.pay} <bdi>{formatMoney(String(amount), CURRENCY, words.language)}</bdi>
      </button>
    </form>
  )
}

function Bench({ bff, order, settings }: StorefrontProps) {
  return (
    <details class="bench">
      <summary>For developers</summary>
      <p class="quiet">The settings of the tag, its events, and the code.</p>
      <p class="quiet order">
        Order <code id="order">{order}</code>
      </p>
      <p class="links">
        <a id="new-order" href={addressOf(settings)}>
          Start a new order
        </a>{' '}
        <a href="/playground">Every state of the tag</a>
      </p>
      <form id="settings" class="card" action="/" method="get">
        <Choice name="launch" label="Payment page opens" from={LAUNCHES} picked={settings.launch} />
        <Choice name="payer" label="The customer is" from={PAYERS} picked={settings.payer} />
        <Choice name="lang" label="Language of the tag" from={LANGUAGE_NAMES} picked={settings.lang} />
        <Choice name="theme" label="Theme" from={THEMES} picked={settings.theme} />
        <button class="button quiet">Show</button>
      </form>
      <div class="card">
        <h2 id="events-title">DOM events</h2>
        <p class="quiet">Events of the tag, the latest first.</p>
        <ol id="events" class="log" aria-labelledby="events-title" />
      </div>
      <div class="card">
        <h2 id="orders-title">Events at the shop's backend</h2>
        <p class="quiet">Signed webhook events. The shop fulfils an order only when it receives one.</p>
        <ul id="orders" class="log" aria-labelledby="orders-title" />
        <noscript>
          <a href="/fulfilled">Orders and their status</a>
        </noscript>
      </div>
      <div class="card">
        <h2 id="snippet-title">The code for this page</h2>
        <pre tabindex={0} aria-labelledby="snippet-title">
          <code id="snippet">{renderSnippet(settings, order, bff)}</code>
        </pre>
      </div>
    </details>
  )
}

type ChoiceProps = Record<'name' | 'label' | 'picked', string> & {
  /** The texts of the choices, by their values. */
  from: Readonly<Record<string, string>>
}

export function Choice({ name, label, from, picked }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(from).map(([value, text]) => (
          <option value={value} selected={value === picked}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

const PICTURES = {
  kikoi: (
    <>
      <rect width="120" height="90" fill="#f6d9c0" />
      <g transform="rotate(-6 60 45)">
        <rect x="22" y="14" width="76" height="58" rx="3" fill="#fdf6ea" />
        <path d="M22 22h76v7H22zM22 58h76v7H22z" fill="#e4572e" />
        <path d="M22 32h76v3H22zM22 52h76v3H22z" fill="#17878b" />
        <path d="M22 38h76v11H22z" fill="#f0a63a" />
        <path d="M26 76h67" stroke="#fdf6ea" stroke-width="8" stroke-dasharray="2.5 3.5" />
      </g>
    </>
  ),
  coffee: (
    <>
      <rect width="120" height="90" fill="#cfe3d6" />
      <path d="M41 14h38l6 12v50a5 5 0 0 1-5 5H40a5 5 0 0 1-5-5V26z" fill="#3b2a20" />
      <path d="M41 14h38l6 12H35z" fill="#54402f" />
      <rect x="41" y="36" width="38" height="30" rx="3" fill="#f7efe2" />
      <ellipse cx="60" cy="51" rx="7.5" ry="11" fill="#7b4a2d" transform="rotate(28 60 51)" />
      <path d="M65 42c-7 4-3 13-10 18" fill="none" stroke="#f7efe2" stroke-width="2" stroke-linecap="round" />
    </>
  ),
}

function Picture({ good }: { good: (typeof GOODS)[number]['id'] }) {
  return (
    <svg viewBox="0 0 120 90" aria-hidden="true" class="picture">
      {PICTURES[good]}
    </svg>
  )
}
