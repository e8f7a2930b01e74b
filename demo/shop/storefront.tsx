// The page works without JavaScript: the settings are a form, and the checkout is the rendered button or a second form.

import { formatMoney } from 'gateway-checkout/words'
import { html, raw } from 'hono/html'
import { renderCheckout } from '../../server/index.ts'
import { CURRENCY, goodAt, GOODS, SHOP_NAME } from './goods.ts'
import { LANGUAGE_NAMES } from './languages.ts'
import { Picture } from './pictures.tsx'
import { address, LAUNCHES, PAYERS, THEMES } from './settings.ts'
import { scriptAddress, snippet, tagAttributes, tagOptions } from './tag.ts'
import type { Child } from 'hono/jsx'
import type { Words } from 'gateway-checkout/words'
import type { Settings } from './settings.ts'

interface StorefrontProps {
  bff: string
  order: string
  isPaid: boolean
  settings: Settings
  /** Nonce of the page's Content Security Policy, for the style sheet of the button. */
  nonce: string
  /** The words of the tag's language, for the form without scripts. */
  words: Words
}

const MONEY = { style: 'currency', currency: CURRENCY, currencyDisplay: 'code' } as const
const SHILLINGS = new Intl.NumberFormat('en', { ...MONEY, maximumFractionDigits: 0 })

/** Before anything is drawn: a shopper who returns from the payment page sees the order first; see `till.ts`. */
const RETURNED = `if (location.hash.startsWith('#gateway-checkout=')) document.documentElement.className = 'returned'`

export function storefront(props: StorefrontProps) {
  const content = (
    <>
      <script nonce={props.nonce}>{raw(RETURNED)}</script>
      <p class="notice">A demonstration shop: nothing is sold and no real money moves.</p>
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
  return documentOf(SHOP_NAME, ['storefront', 'bench'], props.bff, content, props.settings.theme)
}

/** @param files The names of the style and of the script, which loads before the element may dispatch events. */
export function documentOf(
  title: string,
  [style, script]: readonly [style: string, script: string],
  bff: string,
  content: Child,
  theme?: string,
) {
  const page = (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={`/assets/${style}.css`} />
        <script type="module" src={`/assets/${script}.js`} />
        <script type="module" src={scriptAddress(bff)} />
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
        <p id="being-paid" />
        {GOODS.map(({ id, name, detail, price }) => (
          <label class="ware">
            <input
              type="radio"
              form="settings"
              name="amount"
              value={price}
              checked={price === settings.amount}
            />
            <Picture of={id} />
            <span class="name">{name}</span>
            <span class="quiet">{detail}</span>
            <span class="price">{SHILLINGS.format(price)}</span>
          </label>
        ))}
      </fieldset>
    </section>
  )
}

function Till(props: StorefrontProps) {
  const { amount } = props.settings
  const price = SHILLINGS.format(amount)
  const lines = [
    [goodAt(amount), price],
    ['Delivery', 'Free', 'quiet'],
    ['Total ', price, 'total'],
  ] as const
  return (
    <section class="till card" aria-labelledby="till-title">
      <h2 id="till-title">Your order</h2>
      <dl class="lines">
        {lines.map(([what, price, look]) => (
          <div class={look}>
            <dt>{what}</dt>
            <dd>{price}</dd>
          </div>
        ))}
      </dl>
      <Checkout {...props} />
      <p id="told" class="visually-hidden" role="status" />
    </section>
  )
}

// Before the script and without it, there is the button where the shop knows the customer, and otherwise a form. Both
// have no return URL, so the BFF shows the outcome, which this page could not show without a script. A paid order has
// neither.
function Checkout(props: StorefrontProps) {
  const { bff, order, isPaid, settings, nonce, words } = props
  if (settings.payer === 'known' && !isPaid)
    return raw(renderCheckout(order, { ...tagOptions(settings, bff), nonce }))
  const [said, more] = words.sentence.paid
  const paid = (
    <p class="plain" lang={words.language} dir={words.dir}>
      <strong>{said}</strong> {more}
    </p>
  )
  return (
    <gateway-checkout {...tagAttributes(settings, order, bff)}>
      {isPaid ? paid : <WithoutScript {...props} />}
    </gateway-checkout>
  )
}

function WithoutScript({ bff, order, settings, words }: StorefrontProps) {
  const { lang, amount } = settings
  const spoken = { lang: words.language, dir: words.dir }
  return (
    <form class="plain" method="post" target="_top" action={`${bff}/checkout/initiate`} {...spoken}>
      <input type="hidden" name="order" value={order} />
      <input type="hidden" name="lang" value={lang} />
      <label>
        {words.payer_name} <input name="payer_name" autocomplete="name" required maxlength={100} />
      </label>
      <label>
        {words.payer_email}{' '}
        <input name="payer_email" type="email" autocomplete="email" required maxlength={100} />
      </label>
      <label>
        {words.payer_msisdn}{' '}
        <input name="payer_msisdn" type="tel" autocomplete="tel" required maxlength={25} />
      </label>
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
        <a id="new-order" href={address(settings)}>
          Start a new order
        </a>{' '}
        <a href="/playground">Every state of the tag</a>
      </p>
      <form id="settings" class="card" action="/" method="get">
        <Pick name="launch" label="Payment page opens" from={LAUNCHES} picked={settings.launch} />
        <Pick name="payer" label="The customer is" from={PAYERS} picked={settings.payer} />
        <Pick name="lang" label="Language of the tag" from={LANGUAGE_NAMES} picked={settings.lang} />
        <Pick name="theme" label="Theme" from={THEMES} picked={settings.theme} />
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
          <code id="snippet">{snippet(settings, order, bff)}</code>
        </pre>
      </div>
    </details>
  )
}

/** By value: the text of the choice. */
type Choices = { from: Readonly<Record<string, string>> }

export function Pick({ name, label, from, picked }: Record<'name' | 'label' | 'picked', string> & Choices) {
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(from).map(([value, words]) => (
          <option value={value} selected={value === picked}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}
