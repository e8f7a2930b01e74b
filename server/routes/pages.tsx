/**
 * Renders the two HTML pages that this server shows to shoppers. The outcome page shows the outcome of a checkout.
 * Until the checkout is settled, the outcome page reloads itself, also without JavaScript. In a pop-up, the outcome
 * page contains a script that closes the pop-up. Without JavaScript, the pop-up stays open and shows the outcome. The
 * error page shows why a request failed, for example after a form was submitted without JavaScript.
 *
 * Both pages show the words of the widget's package. Each page is a single file: its styles and scripts are inline.
 */

import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { FC, PropsWithChildren } from 'hono/jsx'
import type { Failure, Words } from 'gateway-checkout/words'
import type { CheckoutView } from '../api/view.ts'
import {
  describeFailure,
  describeView,
  ENGLISH,
  formatMoney,
  isLanguageTag,
  LANGUAGES,
  loadWords,
} from 'gateway-checkout/words'
import { html, raw } from 'hono/html'

/** Seconds after which the outcome page reloads itself while the checkout is not settled. */
const REFRESH_SECONDS = 5

export interface PageLanguage {
  words: Words
  /** A BCP 47 language tag, for the `lang` attribute and for formatting amounts. */
  lang: string
}

/** The maximum number of languages that are read from an `Accept-Language` header. [assumed] No browser sends more. */
const MOST_LANGUAGES = 10

/**
 * Chooses the language of a page: `requested` if this language has translated texts, or else the first language in
 * `accepted` that has translated texts, or else English.
 *
 * @param requested BCP 47 tag; `null` if no language was requested.
 * @param accepted The `Accept-Language` header.
 */
export async function chooseLanguage(
  requested: string | null,
  accepted: string | undefined,
): Promise<PageLanguage> {
  const header = (accepted ?? '').split(',', MOST_LANGUAGES).map((item) => item.split(';')[0] ?? '')
  const lang = [requested ?? '', ...header].map((tag) => tag.trim()).find(hasWords) ?? 'en'
  return { words: (await loadWords(lang)) ?? ENGLISH, lang }
}

function hasWords(lang: string): boolean {
  return isLanguageTag(lang) && LANGUAGES.includes(lang.split('-')[0]?.toLowerCase() ?? '')
}

interface OutcomePage {
  view: CheckoutView
  language: PageLanguage
  nonce: string
  /** The URLs of the merchant's pages. The outcome page shows these URLs as links back to the shop. */
  links: readonly string[]
  /**
   * The origin of the page that opened this pop-up; `null` if the origin is unknown, or this page is not in a pop-up.
   */
  opener: string | null
}

export function outcomePage({ view, language, nonce, links, opener }: OutcomePage) {
  const { words, lang } = language
  const [title, detail] = describeView(view, words)
  const refresh = view.settled ? null : REFRESH_SECONDS
  return (
    <Page title={title} language={language} nonce={nonce} refresh={refresh}>
      <main class={view.outcome} aria-live="polite">
        <p class="mark" aria-hidden="true">
          {MARKS[view.outcome]}
        </p>
        <h1>{title}</h1>
        <p>{detail}</p>
        <p class="amount">{formatMoney(view.amount, view.currency, lang)}</p>
        <p class="reference">
          {words.reference} <code dir="auto">{view.merchant_transaction_id}</code>
        </p>
        {view.environment === 'sandbox' && <p class="test">{words.testMode}</p>}
        {view.redirect_url && view.outcome !== 'paid' && <a href={view.redirect_url}>{words.openPage}</a>}
        {links.map((link) => (
          <a class="primary" href={link}>
            {words.backToShop}
            {links.length > 1 && <small dir="ltr">{pageName(link)}</small>}
          </a>
        ))}
      </main>
      {opener && <CloseScript opener={opener} checkoutId={view.checkout_id} nonce={nonce} />}
    </Page>
  )
}

/** Returns the host and the path of a URL, as a short text by which a shopper recognizes the page. */
function pageName(url: string): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}

/** Renders the error page, which shows why a request of the browser failed. */
export function failurePage(failure: Failure, language: PageLanguage, nonce: string) {
  const { words } = language
  const [title, detail] = describeFailure(failure, words)
  const { fields } = failure
  return (
    <Page title={title} language={language} nonce={nonce} refresh={null}>
      <main>
        <p class="mark" aria-hidden="true">
          !
        </p>
        <h1>{title}</h1>
        {fields.length > 0 ? fields.map((field) => <p>{words.problem[field]}</p>) : <p>{detail}</p>}
      </main>
    </Page>
  )
}

/**
 * Responds with the page and a Content-Security-Policy, which allows only the inline scripts and styles that have the
 * nonce. No cache may keep the page: the same URL also answers JSON, or a page in another language.
 */
export function answerPage(
  c: Context,
  page: { toString(): string },
  nonce: string,
  status: ContentfulStatusCode,
) {
  return c.html(page.toString(), status, {
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  })
}

/** A script that sends the checkout id to the page that opened this pop-up, and closes the pop-up. */
const CloseScript: FC<{ opener: string; checkoutId: string; nonce: string }> = ({
  opener,
  checkoutId,
  nonce,
}) => (
  <script nonce={nonce} data-opener={opener} data-checkout={checkoutId}>
    {raw(`
      const { opener: origin, checkout: checkout_id } = document.currentScript.dataset
      if (window.opener) window.opener.postMessage({ type: 'gateway-checkout', checkout_id }, origin)
      window.close()
    `)}
  </script>
)

const MARKS = {
  waiting: '…',
  pending: '…',
  paid: '✓',
  partial: '◐',
  unpaid: '×',
  expired: '⏱',
  reversed: '↩',
  refunded: '↩',
  jammed: '!',
  review: '!',
} as const satisfies Record<CheckoutView['outcome'], string>

const Page: FC<
  PropsWithChildren<{ title: string; language: PageLanguage; nonce: string; refresh: number | null }>
> = ({ title, language, nonce, refresh, children }) =>
  html`<!doctype html> ${(
      <html lang={language.lang} dir={language.words.dir}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          {refresh !== null && <meta http-equiv="refresh" content={String(refresh)} />}
          <title>{title}</title>
          <style nonce={nonce}>{raw(STYLE)}</style>
        </head>
        <body>{children}</body>
      </html>
    )}`

const STYLE = `
  :root { --ink: #16202a; --soft: #5a6672; --paper: #fff; --ground: #f3f5f7; --accent: #0b6b4f; --on-accent: #fff }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #eef2f5; --soft: #a6b2bd; --paper: #1b232b; --ground: #10161c; --accent: #5fd3a8; --on-accent: #06251b }
  }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
    font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground) }
  main { width: 100%; max-width: 26rem; padding: 2rem 1.5rem; border-radius: 1rem; background: var(--paper); text-align: center }
  .mark { width: 3.5rem; height: 3.5rem; margin: 0 auto; border: 2px solid currentColor; border-radius: 50%;
    display: grid; place-items: center; font-size: 1.75rem; line-height: 1; color: var(--soft) }
  [dir='rtl'] :is(.reversed, .refunded) .mark { transform: scaleX(-1) }
  .paid .mark { color: var(--accent) }
  h1 { margin: 1rem 0 .5rem; font-size: 1.375rem; line-height: 1.25 }
  p { margin: .5rem 0 }
  .amount { font-size: 1.5rem; font-weight: 600 }
  .reference, .test { color: var(--soft); font-size: .875rem; overflow-wrap: anywhere }
  a { display: block; min-height: 2.75rem; margin-top: 1rem; padding: .625rem 1rem; border-radius: .625rem; color: var(--accent) }
  a.primary { background: var(--accent); color: var(--on-accent); text-decoration: none; font-weight: 600 }
  a small { display: block; font-weight: 400; overflow-wrap: anywhere }
  a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`
