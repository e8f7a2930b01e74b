/**
 * The few pages that the BFF shows by itself: the outcome, the pop-up that closes, and a sentence when something
 * cannot be done. They speak with the widget's words, need no script, and load nothing.
 */

import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { FC, PropsWithChildren } from 'hono/jsx'
import type { CheckoutView } from '../api/view.ts'
import type { Failure } from '../../widget/failure.ts'
import type { Words } from '../../widget/locales/en.ts'
import type { Session } from '../../widget/session/state.ts'
import { html, raw } from 'hono/html'
import { money } from '../../widget/locale.ts'
import ar from '../../widget/locales/ar.ts'
import { en } from '../../widget/locales/en.ts'
import fr from '../../widget/locales/fr.ts'
import pt from '../../widget/locales/pt.ts'
import sw from '../../widget/locales/sw.ts'
import { sentence } from '../../widget/sentence.ts'

const LANGUAGES: Readonly<Record<string, Words>> = { ar, en, fr, pt, sw }

/** The one sentence that the widget has no use for. */
const BACK: Readonly<Record<string, string>> = {
  ar: 'العودة إلى المتجر',
  en: 'Back to the shop',
  fr: 'Retour à la boutique',
  pt: 'Voltar à loja',
  sw: 'Rudi dukani',
}

/** While nothing is settled the page asks again by itself. */
const REFRESH_SECONDS = 5

interface Speech {
  words: Words
  /** BCP 47, for `lang` and for amounts. */
  lang: string
}

/** The first language of ours among what the shopper's page asked for and the browser accepts. */
export function speak(asked: string | null, accepted: string | undefined): Speech {
  const wishes = [asked ?? '', ...(accepted ?? '').split(',').map((wish) => wish.split(';')[0] ?? '')]
  for (const wish of wishes) {
    const lang = wish.trim()
    const words = LANGUAGES[lang.split('-')[0]?.toLowerCase() ?? '']
    if (words && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(lang)) return { words, lang }
  }
  return { words: en, lang: 'en' }
}

interface OutcomePage {
  view: CheckoutView
  speech: Speech
  nonce: string
  /** The merchant's page, to go back to. */
  back: string | null
  /** Of the page that opened this pop-up: it is told, and the pop-up closes. */
  opener: string | null
}

export function outcomePage({ view, speech, nonce, back, opener }: OutcomePage) {
  const { words, lang } = speech
  const [title, detail] = sentence(followed(view), words)
  const refresh = view.settled ? null : REFRESH_SECONDS
  return (
    <Page title={title} speech={speech} nonce={nonce} refresh={refresh}>
      <main class={view.outcome} aria-live="polite">
        <p class="mark" aria-hidden="true">
          {MARKS[view.outcome]}
        </p>
        <h1>{title}</h1>
        <p>{detail}</p>
        <p class="amount">{money(view.amount, view.currency, lang)}</p>
        <p class="reference">
          {words.reference} <code dir="auto">{view.merchant_transaction_id}</code>
        </p>
        {view.environment === 'sandbox' && <p class="test">{words.testMode}</p>}
        {view.redirect_url && view.outcome !== 'paid' && <a href={view.redirect_url}>{words.openPage}</a>}
        {back && (
          <a class="primary" href={back}>
            {BACK[words.language] ?? BACK.en}
          </a>
        )}
      </main>
      {opener && <CloseScript opener={opener} checkoutId={view.checkout_id} nonce={nonce} />}
    </Page>
  )
}

/** What the element would say of it, were it on this page. */
function followed(view: CheckoutView): Session {
  return {
    at: 'following',
    checkoutId: view.checkout_id,
    view,
    trouble: null,
    page: 'none',
    origin: 'attribute',
  }
}

/** A failure for a person whose browser sent a plain form. */
export function failurePage(failure: Failure, speech: Speech, nonce: string) {
  const { words } = speech
  const [title, detail] = sentence({ at: 'error', failure }, words)
  const { fields } = failure
  return (
    <Page title={title} speech={speech} nonce={nonce} refresh={null}>
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

/** Nothing is loaded, nothing is sent, and only the script and the style written into the page run. */
export function answerPage(
  c: Context,
  page: { toString(): string },
  nonce: string,
  status: ContentfulStatusCode,
) {
  return c.html(page.toString(), status, {
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  })
}

/** Tells the page that opened this window, at its exact origin, and closes. What cannot close stays readable. */
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
  PropsWithChildren<{ title: string; speech: Speech; nonce: string; refresh: number | null }>
> = ({ title, speech, nonce, refresh, children }) =>
  html`<!doctype html> ${(
      <html lang={speech.lang} dir={speech.words.dir}>
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
  a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`
