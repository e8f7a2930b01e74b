/**
 * Renders the page that shows how a checkout stands, for example after the shopper's return from the hosted page. While
 * the checkout is not settled, the page fetches itself again.
 */

import {
  amountText,
  describeCheckout,
  endNote,
  GLYPHS,
  isAwaited,
  paidAt,
  paidTo,
  payText,
  phoneAsks,
  receiptNumbers,
  safetyNote,
  timeFormat,
  timeLeft,
  WHEN,
} from 'gateway-checkout/words'
import { raw } from 'hono/html'

import { viewOf } from '../checkouts/view.ts'
import { helpIn, Mark, Page } from './pages.tsx'

import type { CheckoutView } from '../api/view.ts'
import type { Checkout } from '../checkouts/record.ts'
import type { Frame } from './pages.tsx'
import type { Words } from 'gateway-checkout/words'
import type { FC } from 'hono/jsx'

/** Seconds after which the outcome page is fetched again while the checkout is not settled. */
const REFRESH_SECONDS = 5

/** Milliseconds that the page waits for itself. [assumed] A browser would wait for minutes. */
const LONGEST_FETCH_MS = 20_000

interface OutcomeParts {
  checkout: Checkout
  /** In milliseconds since the Unix epoch. */
  now: number
  /** The URLs of the merchant's pages, to which the page leads. */
  links?: readonly string[]
  /** The origin of the page that opened this pop-up; `null` if it is unknown, or this page is in no pop-up. */
  opener?: string | null
}

/**
 * Renders how a checkout stands. The page has no action of its own: it leads to the hosted page, or back to the shop.
 * No two parts of `<main>`, nor of the live region, have the same name (`nameOf` in the script): by it, the script finds a
 * part that has changed.
 */
export function outcomePage(frame: Frame, { checkout, now, links = [], opener = null }: OutcomeParts) {
  const { words, merchant, nonce } = frame
  const view = viewOf(checkout, now)
  const { narration } = checkout.record.requested
  const isPaid = view.outcome === 'paid'
  const [title, detail] = describeCheckout(view, words, now, merchant.name, '')
  const note = safetyNote(view, words, now)
  const warning = endNote(view, words, now)
  const glyph = phoneAsks(view) ? 'prompted' : view.outcome
  // A large amount may break before its currency, but not inside the number.
  const amount = amountText(view, words).replace('\u00A0', ' ')
  const left = timeLeft(view, words, now)
  const paidTime = timeFormat(words.language, 'UTC')
  const actions = linksIn(words, view, links)
  const numbers = receiptNumbers(view, words)
  const reload = !view.settled && (
    <noscript>
      <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />
    </noscript>
  )

  return (
    <Page frame={frame} title={title} head={reload}>
      <main class={view.outcome}>
        <Mark path={GLYPHS[isAwaited(view, now) ? 'pending' : glyph]} />
        {/* Screen readers announce only the lines that have changed. */}
        <div class="said" aria-live="polite">
          <h1>{title}</h1>
          {detail && <p id="detail">{detail}</p>}
          {note && <p id="note">{note}</p>}
          {warning && <p class="warning">{warning}</p>}
          <p id="trouble"></p>
          {amount && <p class="amount">{amount}</p>}
        </div>
        {view.outcome === 'partial' && (
          <progress aria-hidden="true" max={view.amount} value={view.amount_paid} />
        )}
        {narration && (
          <p id="narration" dir="auto">
            {narration}
          </p>
        )}
        {isPaid && (
          <p id="payee">
            {paidTo(merchant.name, words)}{' '}
            <time datetime={paidAt(view)}>{paidTime.format(new Date(paidAt(view)))}</time>
          </p>
        )}
        {left && (
          <p class="left" role="timer" aria-live="off">
            {left}
          </p>
        )}
        {view.environment === 'sandbox' && <p class="test">{words.testMode}</p>}
        {/* Whatever the shopper may still do comes before the numbers of the payment. */}
        {isPaid || actions}
        {/* Counted from the end, where a number keeps its place when another one arrives. */}
        {numbers.map(([label, number], index) => (
          <ReceiptNumber id={numbers.length - 1 - index} label={label} number={number} words={words} />
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
        data-offline={words.offline}
        data-troubled={words.troubled}
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
  return closing + following + LOCAL_TIMES + COPYING + FOLDING
}

interface ReceiptNumberProps {
  id: number
  label: string
  number: string
  words: Words
}

/** A number by which the shopper, the shop or an operator finds the payment, with a button that copies it. */
const ReceiptNumber: FC<ReceiptNumberProps> = ({ id, label, number, words }) => (
  <p class="reference" id={`line-${id}`}>
    <span>
      {label}{' '}
      <code id={`number-${id}`}>
        <bdi>{number}</bdi>
      </code>
    </span>
    <button class="copy" id={`copy-${id}`} aria-describedby={`number-${id}`} aria-live="polite">
      {words.receipt.copy}
    </button>
  </p>
)

/**
 * Returns the link to the hosted page, while the checkout can be paid there, and the links to the merchant's pages. The
 * link to the hosted page stands out, except beside a prompt. Without it, the links to the merchant's pages do.
 */
function linksIn(words: Words, view: CheckoutView, merchantPages: readonly string[]) {
  return [
    view.redirect_url && (
      <a class={phoneAsks(view) ? '' : 'primary'} href={view.redirect_url} id="pay">
        {payText(view, words)}
      </a>
    ),
    ...merchantPages.map((url, index) => (
      <a class={view.redirect_url ? '' : 'primary'} href={url} id={`back-${index}`}>
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
  const writeTimes = (within) => {
    const format = new Intl.DateTimeFormat(locale, ${JSON.stringify(WHEN)})
    for (const time of within.querySelectorAll('time')) {
      time.textContent = format.format(new Date(time.dateTime))
    }
  }
  writeTimes(document)
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
  document.querySelector('details')?.removeAttribute('open')
`

/**
 * Fetches the page again until the checkout is settled, and shows what has changed since it was fetched before: what
 * the shopper has pressed or opened, a page translator has translated, or a screen reader has read stays as it is.
 * Without scripts, the page reloads itself.
 */
const FOLLOWING = `
  const { offline, troubled } = document.currentScript.dataset
  const shown = document.querySelector('main')
  let before = shown.cloneNode(true)

  const follow = async () => {
    const signal = AbortSignal.timeout?.(${LONGEST_FETCH_MS})
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, signal }).catch(() => null)
    const text = answer?.ok ? await answer.text().catch(() => '') : ''
    // The parser would report a style element as against the policy.
    const html = text.replace(/<style[^]*?<.style>/, '')
    const next = new DOMParser().parseFromString(html, 'text/html')
    // The order is to be paid anew, by the element.
    if (next.querySelector('gateway-checkout')) {
      return location.reload()
    }

    const fetched = next.querySelector('main')
    if (fetched) {
      show(fetched, next.title)
    }

    const trouble = document.querySelector('#trouble')
    const note = fetched ? '' : navigator.onLine ? troubled : offline
    // A text that stays the same is not announced again.
    if (trouble.dataset.note !== note) {
      trouble.textContent = trouble.dataset.note = note
    }

    const isSettled = fetched && !next.querySelector('[http-equiv=refresh]')
    if (!isSettled) {
      setTimeout(follow, ${REFRESH_SECONDS * 1_000})
    }
  }

  const show = (fetched, title) => {
    const focused = document.activeElement
    if (!fetched.isEqualNode(before)) {
      document.title = title
      shown.className = fetched.className
      update(shown, before, fetched)
      before = fetched
    }
    // What had the focus was moved, replaced or removed.
    if (document.activeElement !== focused) {
      const same = focused.isConnected ? focused : document.getElementById(focused.id)
      const target = same ?? Object.assign(document.querySelector('h1'), { tabIndex: -1 })
      target.focus({ preventScroll: true })
    }
  }

  const update = (parent, old, next) => {
    const nameOf = ({ id, className, localName }) => id || className || localName
    const partOf = (whole, like) => [...whole.children].find((part) => nameOf(part) === nameOf(like))
    for (const part of [...parent.children].filter((part) => !partOf(next, part))) {
      part.remove()
    }

    let place = null
    for (const part of next.children) {
      let node = partOf(parent, part)
      const known = partOf(old, part)
      if (node && part.className === 'said') {
        update(node, known, part)
      } else if (!known?.isEqualNode(part)) {
        const fresh = document.importNode(part, true)
        fresh.matches('details') && fresh.toggleAttribute('open', node?.open ?? false)
        writeTimes(fresh)
        node?.remove()
        node = fresh
      }

      const following = place ? place.nextElementSibling : parent.firstElementChild
      if (following !== node) {
        parent.insertBefore(node, following)
      }
      place = node
    }
  }

  setTimeout(follow, ${REFRESH_SECONDS * 1_000})
`
