/**
 * Renders the page that shows how a checkout stands, for example after the shopper's return from the hosted page. While
 * the checkout is not settled, the page fetches itself again.
 */

import {
  describeView,
  formatMoney,
  GLYPHS,
  isOver,
  paidAt,
  paidTo,
  payText,
  receiptNumbers,
  safetyNote,
  timeFormat,
  WHEN,
} from 'gateway-checkout/words'
import { raw } from 'hono/html'

import { helpIn, Mark, Page } from './pages.tsx'

import type { CheckoutView } from '../api/view.ts'
import type { Frame } from './pages.tsx'
import type { Words } from 'gateway-checkout/words'
import type { FC } from 'hono/jsx'

/** Seconds after which the outcome page is fetched again while the checkout is not settled. */
const REFRESH_SECONDS = 5

interface OutcomeParts {
  view: CheckoutView
  /** The URLs of the merchant's pages, to which the page leads. */
  links?: readonly string[]
  /** The origin of the page that opened this pop-up; `null` if it is unknown, or this page is in no pop-up. */
  opener?: string | null
}

/**
 * Renders how a checkout stands. The page has no action of its own: it leads to the hosted page, or back to the shop.
 */
export function outcomePage(frame: Frame, { view, links = [], opener = null }: OutcomeParts) {
  const { words, merchant, nonce } = frame
  const now = Date.parse(view.server_time)
  // The session is over, and the gateway has yet to report the result: it cannot be called paid, and not be paid again.
  const isResultAwaited = isOver(view, now)
  const isPaid = view.outcome === 'paid'
  const isPartial = view.outcome === 'partial'

  const [title, detail] =
    isResultAwaited && !isPartial ? [words.sentence.checking[0], ''] : describeView(view, words)
  const note = isResultAwaited ? '' : safetyNote(view, words, now)
  const glyph = isPrompted(view) ? 'prompted' : view.outcome
  const amount = shownAmount(view)
  const paidTime = timeFormat(words.language, 'UTC')
  const actions = linksIn(words, view, links)
  const reload = !view.settled && (
    <noscript>
      <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />
    </noscript>
  )

  return (
    <Page frame={frame} title={title} head={reload}>
      <main class={view.outcome} aria-live="polite">
        <Mark path={GLYPHS[isResultAwaited ? 'pending' : glyph]} />
        <h1>{title}</h1>
        {detail && <p>{detail}</p>}
        {isResultAwaited && <p>{words.ended}</p>}
        {note && <p>{note}</p>}
        {/* A large amount may break before its currency, but not inside the number. */}
        {amount !== null && (
          <p class="amount">{formatMoney(amount, view.currency, words.language).replace('\u00A0', ' ')}</p>
        )}
        {isPartial && <progress aria-hidden="true" max={view.amount} value={view.amount_paid} />}
        {isPaid && (
          <p>
            {paidTo(merchant.name, words)}{' '}
            <time datetime={paidAt(view)}>{paidTime.format(new Date(paidAt(view)))}</time>
          </p>
        )}
        {view.environment === 'sandbox' && <p class="test">{words.testMode}</p>}
        {/* Whatever the shopper may still do comes before the numbers of the payment. */}
        {isPaid || actions}
        {receiptNumbers(view, words).map(([label, number], index) => (
          <ReceiptNumber id={`number-${index}`} label={label} number={number} words={words} />
        ))}
        {isPaid && actions}
        {helpIn(frame, view)}
      </main>
      <script
        nonce={nonce}
        data-opener={opener}
        data-checkout={view.checkout_id}
        data-locale={paidTime.resolvedOptions().locale}
        data-copied={words.receipt.copied}
        data-not-copied={words.receipt.notCopied}
      >
        {raw(scriptOf(view, opener))}
      </script>
    </Page>
  )
}

/** The parts of the page's script that this view needs. */
function scriptOf({ settled }: CheckoutView, opener: string | null): string {
  const closing = opener ? CLOSING : ''
  const following = settled ? '' : FOLLOWING
  return closing + LOCAL_TIMES + COPYING + FOLDING + following
}

interface ReceiptNumberProps {
  id: string
  label: string
  number: string
  words: Words
}

/** A number by which the shopper, the shop or an operator finds the payment, with a button that copies it. */
const ReceiptNumber: FC<ReceiptNumberProps> = ({ id, label, number, words }) => (
  <p class="reference">
    <span>
      {label}{' '}
      <code id={id} dir="auto">
        {number}
      </code>
    </span>
    <button class="copy" aria-describedby={id} aria-live="polite">
      {words.receipt.copy}
    </button>
  </p>
)

/**
 * Returns the amount below the title. Of a paid checkout, and of a partial one that has ended: what was received. Of a
 * partial one that can be continued: `null`, because the title names what remains. Otherwise: what was asked.
 */
function shownAmount({ outcome, settled, amount, amount_paid }: CheckoutView): string | null {
  if (outcome === 'paid') {
    return amount_paid
  }
  if (outcome !== 'partial') {
    return amount
  }
  return settled ? amount_paid : null
}

/** Returns whether the shopper's phone asks for the payment, by a prompt of this server or of the hosted page. */
function isPrompted({ outcome, prompt, payments }: CheckoutView): boolean {
  return outcome === 'waiting' && (prompt !== undefined || payments.at(-1)?.outcome === 'waiting')
}

/**
 * Returns the link to the hosted page, while the checkout can be paid there, and the links to the merchant's pages. The
 * link to the hosted page stands out, except beside a prompt. Without it, the links to the merchant's pages do.
 */
function linksIn(words: Words, view: CheckoutView, merchantPages: readonly string[]) {
  return [
    view.redirect_url && (
      <a class={isPrompted(view) ? '' : 'primary'} href={view.redirect_url}>
        {payText(view, words)}
      </a>
    ),
    ...merchantPages.map((url) => (
      <a class={view.redirect_url ? '' : 'primary'} href={url}>
        {words.backToShop}
        {merchantPages.length > 1 && <small dir="ltr">{pageName(url)}</small>}
      </a>
    )),
  ]
}

/** Returns the host and the path of a URL, as a short text by which a shopper recognizes the page. */
function pageName(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}

// The outcome page has one script, of these parts.

/** Closes a pop-up, after it has told the page that opened it. If it cannot be closed, it shows the outcome. */
const CLOSING = `
  const { opener: origin, checkout: checkout_id } = document.currentScript.dataset
  if (window.opener) {
    window.opener.postMessage({ type: 'gateway-checkout', checkout_id }, origin)
  }
  window.close()
`

/** Writes the times of the page in the shopper's time zone. Without scripts, they are in UTC, and say so. */
const LOCAL_TIMES = `
  const { locale } = document.currentScript.dataset
  const writeTimes = () => {
    const format = new Intl.DateTimeFormat(locale, ${JSON.stringify(WHEN)})
    for (const time of document.querySelectorAll('time')) {
      time.textContent = format.format(new Date(time.dateTime))
    }
  }
  writeTimes()
`

/** Copies a number of the receipt. Without scripts, its button is hidden. If the browser refuses, selects the number. */
const COPYING = `
  const { copied, notCopied } = document.currentScript.dataset
  document.documentElement.className = 'scripted'
  document.addEventListener('click', async ({ target: button }) => {
    if (!button.matches('.copy')) {
      return
    }

    const number = document.getElementById(button.getAttribute('aria-describedby'))
    // A text that stays the same is not announced again.
    const say = (text) => (button.textContent = button.textContent === text ? text + '\\u00a0' : text)
    try {
      await navigator.clipboard.writeText(number.textContent)
      say('✓ ' + copied)
    } catch {
      say(notCopied)
      getSelection().selectAllChildren(number)
    }
  })
`

/** Folds the addresses of the shop, which the page has in view without scripts. */
const FOLDING = `
  const contactIn = (main) => main?.querySelector('details')
  contactIn(document.querySelector('main'))?.removeAttribute('open')
`

/**
 * Fetches the page again until the checkout is settled, and replaces what differs, so that a screen reader announces
 * the change and keeps its place. Without scripts, the page reloads itself.
 */
const FOLLOWING = `
  const follow = async () => {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null)
    const text = answer?.ok ? await answer.text().catch(() => '') : ''
    const next = new DOMParser().parseFromString(text, 'text/html')
    // The order is to be paid anew, by the element.
    if (next.querySelector('gateway-checkout')) {
      return location.reload()
    }

    const shown = document.querySelector('main')
    const fetched = next.querySelector('main')
    contactIn(fetched)?.toggleAttribute('open', contactIn(shown)?.open ?? false)
    if (fetched && fetched.outerHTML !== shown.outerHTML) {
      document.title = next.title
      shown.className = fetched.className
      shown.replaceChildren(...fetched.childNodes)
      writeTimes()
    }

    const isSettled = fetched && !next.querySelector('[http-equiv=refresh]')
    if (!isSettled) {
      setTimeout(follow, ${REFRESH_SECONDS * 1_000})
    }
  }
  setTimeout(follow, ${REFRESH_SECONDS * 1_000})
`
