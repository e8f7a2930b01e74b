/**
 * The frame of the pages that this server shows to shoppers: their language, their style sheet and their
 * Content-Security-Policy. Also the pages that have nothing to pay: why a request failed, and that an address does not
 * exist. Other pages have files of their own, such as `outcome-page.tsx`. The words are those of the widget's package.
 */

import {
  describeFailure,
  ENGLISH,
  failureNeedsShop,
  GLYPHS,
  helpLinks,
  LANGUAGES,
  loadWords,
  needsShop,
  onlyShopHelps,
} from 'gateway-checkout/words'
import { html, raw } from 'hono/html'

import { readLanguage } from '../contract/language.ts'
import { createSecurityHeaders } from './headers.ts'
import { pageWords } from './words.ts'

import type { CheckoutView } from '../api/view.ts'
import type { Merchant } from '../config/appearance.ts'
import type { Needs } from './route.ts'
import type { Failure, Words } from 'gateway-checkout/words'
import type { Context } from 'hono'
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** The parts that every page has. */
export interface Frame {
  words: Words
  /** A BCP 47 language tag, for the `lang` attribute; amounts and times follow `words.language` instead. */
  lang: string
  merchant: Merchant
  /** Allows the styles and the scripts of this page, as the Content-Security-Policy of the response says. */
  nonce: string
}

/**
 * Renders why a request failed.
 *
 * @param back The URL of the shop's page that sent the request; `null` if it is unknown.
 */
export function failurePage(frame: Frame, failure: Failure, back: string | null) {
  const { words } = frame
  const { fields } = failure
  const isAboutFields = fields.length > 0
  const sentences = isAboutFields
    ? fields.map((field) => words.problem[field])
    : describeFailure(failure, words)
  const [title = '', ...details] = sentences
  // The form is on that page: there, the shopper corrects what was typed.
  const backText = isAboutFields ? words.retry : words.backToShop
  return noticePage(frame, { title, details, back, backText, help: helpIn(frame, failure) })
}

/** Renders the page of an address that does not exist. */
export function lostPage(frame: Frame, failure: Failure, back: string | null) {
  const [title, detail] = pageWords(frame.words.language).lost
  return noticePage(frame, { title, details: [detail], back, help: helpIn(frame, failure) })
}

interface Notice {
  title: string
  details: readonly string[]
  back?: string | null
  /** Default: "Back to the shop". */
  backText?: string
  help?: Child
}

/** Renders why there is nothing to pay. */
export function noticePage(frame: Frame, { title, details, back = null, backText, help = null }: Notice) {
  return (
    <Page frame={frame} title={title}>
      <main>
        <Mark path={GLYPHS.error} />
        <h1>{title}</h1>
        {details.map((detail) => (
          <p>{detail}</p>
        ))}
        {back && (
          <a class="primary" href={back}>
            {backText ?? frame.words.backToShop}
          </a>
        )}
        {help}
      </main>
    </Page>
  )
}

interface PageAnswer {
  render: (frame: Frame) => { toString(): string }
  /** Default: 200. */
  status?: ContentfulStatusCode
  /** BCP 47 tag of the language that the request's form or the checkout asks for. */
  requested?: string | null
  /** The origin of scripts without the nonce, which may also be fetched from. Default: none. */
  scripts?: string
  /** The origins to which forms may lead. Default: none. */
  forms?: string
  /** The header `Cache-Control`. Default: no cache keeps the page. */
  cache?: string
}

/**
 * Answers with a page and its Content-Security-Policy. By default, no cache may keep the page: the same URL also answers
 * JSON, or a page in another language.
 */
export async function answerPage(
  c: Context,
  { config: { merchant }, randomness }: Needs<'config' | 'randomness'>,
  { render, status = 200, requested = null, scripts = '', forms = "'none'", cache = 'no-store' }: PageAnswer,
) {
  const nonce = randomness.token()
  const language = await chooseLanguage(requested, c.req.header('accept-language'))
  const pictures = merchant.logo ? new URL(merchant.logo).origin : ''
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}' ${scripts}`,
    `connect-src 'self' ${scripts}`,
    `img-src data: ${pictures}`,
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; ')

  const page = render({ ...language, merchant, nonce })
  return c.html(page.toString(), status, {
    // The routes of checkouts are declared before the middleware that sets these headers.
    ...createSecurityHeaders(),
    ...Object.fromEntries(c.res.headers),
    'cache-control': cache,
    'content-security-policy': policy,
  })
}

/** The maximum number of languages that are read from an `Accept-Language` header. [assumed] No browser sends more. */
const MAX_LANGUAGES = 10

/**
 * Chooses the language of a page: `requested` if this language has translated texts, or else the first language in
 * `accepted` that has translated texts, or else English.
 *
 * @param requested BCP 47 tag, or a locale, such as `fr_FR`; `null` if no language was requested.
 * @param accepted The `Accept-Language` header.
 */
async function chooseLanguage(
  requested: string | null,
  accepted: string | undefined,
): Promise<Pick<Frame, 'words' | 'lang'>> {
  const header = (accepted ?? '').split(',', MAX_LANGUAGES).map((item) => item.split(';')[0] ?? '')
  const tags = [requested ?? '', ...header].flatMap((text) => readLanguage(text) ?? [])
  const lang = tags.find(hasWords) ?? 'en'
  return { words: (await loadWords(lang)) ?? ENGLISH, lang }
}

function hasWords(lang: string): boolean {
  return LANGUAGES.includes(lang.split('-')[0]?.toLowerCase() ?? '')
}

/** Renders the addresses of MERCHANT_HELP, if the shopper may need them, at the end of a page. */
export function helpIn({ merchant, words }: Frame, about: CheckoutView | Failure) {
  const isNeeded =
    'outcome' in about ? needsShop(about, Date.parse(about.server_time)) : failureNeedsShop(about)
  const links = isNeeded ? helpLinks(merchant.help) : []
  if (links.length === 0) {
    return null
  }

  const addresses = links.map((link, index) => (
    <a href={link?.href} dir="auto" id={`address-${index}`}>
      {link?.text}
    </a>
  ))
  if (!onlyShopHelps(about)) {
    return (
      // Without a script, the page loads itself again, and would fold them each time.
      <details class="contact" open>
        <summary id="contact-summary">{words.contact}</summary>
        {addresses}
      </details>
    )
  }

  return (
    <div class="contact">
      {/* The sentence of a failure asks to contact the shop. */}
      {'outcome' in about && <p>{words.contact}</p>}
      {addresses}
    </div>
  )
}

/** The round picture at the top of a page. */
export const Mark: FC<{ path: string }> = ({ path }) => (
  <div class="mark" aria-hidden="true">
    <svg viewBox="0 0 24 24">
      <path d={path} />
    </svg>
  </div>
)

type PageProps = PropsWithChildren<{ frame: Frame; title: string; head?: Child }>

export const Page: FC<PageProps> = ({ frame, title, head, children }) => {
  const { words, lang, nonce } = frame
  const { name, logo, accent } = frame.merchant
  return html`<!doctype html> ${(
      <html lang={lang} dir={words.dir}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          <title>{title}</title>
          {head}
          <style nonce={nonce}>
            {raw(STYLE + (accent ? `:root { --accent: ${accent}; --on-accent: #fff; --shade: #000 }` : ''))}
          </style>
        </head>
        <body>
          {name && (
            <header>
              {logo === null ? (
                <span aria-hidden="true">{Array.from(name)[0]}</span>
              ) : (
                <img src={logo} alt="" />
              )}
              <bdi>{name}</bdi>
            </header>
          )}
          {children}
        </body>
      </html>
    )}`
}

/**
 * The style sheet of the pages that this server shows to shoppers. `--shade` darkens or lightens a button away from its
 * text. `--edge` is the accent with enough contrast to any page: that of a merchant may be as dark as a dark page.
 */
const STYLE = `
  :root { --ink: #17231d; --soft: #52605a; --paper: #fff; --ground: #f3f5f2; --line: #dfe5e1; --plain: #f1f4f2;
    --good: #0f6e5c; --accent: #0f6e5c; --on-accent: #fff; --tint: #e8f3f0; --warn: #8a4b00; --warn-tint: #fdf2e1;
    --shade: var(--ink); --edge: color-mix(in srgb, var(--accent), var(--ink)) }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #eaf1ed; --soft: #a9b8b0; --paper: #17201c; --ground: #0e1412; --line: #2d3a34; --plain: #202b26;
      --good: #5fcfb3; --accent: #5fcfb3; --on-accent: #06281d; --tint: #143028; --warn: #f5c07a; --warn-tint: #33260f }
  }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100svh; display: grid; grid-template-columns: minmax(0, 26rem); place-content: center; padding: 1rem min(1rem, 4vw);
    font: 1rem/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground) }
  header { display: flex; align-items: center; justify-content: center; gap: .625rem; margin-bottom: .875rem; font-weight: 650;
    overflow-wrap: anywhere }
  header :first-child { flex: none; width: 2.25rem; height: 2.25rem; border-radius: .625rem; color: var(--on-accent); background: var(--accent);
    text-align: center; line-height: 2.25rem; text-transform: uppercase; object-fit: cover }
  header img:first-child { background: none }
  main { padding: 2rem min(1.5rem, 5vw) 1.5rem; border: 1px solid var(--line); border-radius: 1.25rem;
    background: var(--paper); text-align: center; overflow-wrap: break-word; min-width: 0 }
  .mark { position: relative; width: 4rem; height: 4rem; margin: 0 auto; border-radius: 50%; display: grid;
    place-items: center; background: var(--plain) }
  .mark svg { width: 2rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
  [dir='rtl'] :is(.reversed, .refunded) svg { transform: scaleX(-1) }
  .paid .mark { background: var(--tint); color: var(--good) }
  :is(.jammed, .review) .mark { background: var(--warn-tint); color: var(--warn) }
  :is(.waiting, .pending) .mark::after { content: ''; position: absolute; inset: 0; border: 2px solid var(--edge);
    border-radius: 50% }
  h1 { margin: .875rem 0 0; font-size: clamp(1rem, 8vw, 1.1875rem); line-height: 1.3; hyphens: auto }
  .paid h1 { color: var(--good) }
  p { margin: .25rem 0 0; color: var(--soft) }
  p:empty { display: none }
  .warning { color: var(--warn); font-weight: 600 }
  time { display: block }
  .amount { color: var(--ink); font-size: clamp(1rem, 9vw, 1.5rem); font-weight: 700; font-variant-numeric: tabular-nums }
  p + .amount { margin-top: .625rem }
  .paid .amount { font-size: clamp(1rem, 9vw, 2.125rem); line-height: 1.25; letter-spacing: -.02em }
  progress, progress::-webkit-progress-bar { appearance: none; display: block; width: 100%; height: .5rem; border: 0;
    border-radius: .25rem; background: var(--line); overflow: hidden }
  progress { margin: .75rem 0 }
  progress::-webkit-progress-value { background: var(--good) }
  progress::-moz-progress-bar { background: var(--good) }
  .reference, .test, .contact, .left { font-size: .875rem; font-variant-numeric: tabular-nums }
  .test { width: fit-content; margin: .75rem auto 0; padding: .125rem .75rem; border: 1px solid var(--line); border-radius: 1rem }
  .contact { margin-top: .75rem }
  .contact summary { display: flex; align-items: center; justify-content: center; gap: .625rem; min-height: 2.75rem; border-radius: .75rem; color: var(--soft);
    cursor: pointer }
  .contact summary::after { content: ''; flex: none; width: .5rem; height: .5rem; border: solid; border-width: 0 2px 2px 0; translate: 0 -25%; rotate: 45deg }
  [open] > summary::after { translate: 0 25%; rotate: 225deg }
  .contact a { width: fit-content; min-width: 2.75rem; min-height: 2.75rem; margin: 0 auto; overflow-wrap: anywhere; padding: .75rem 0; font-weight: 400 }
  .reference { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .75rem; margin-top: 0; padding: .375rem 0; min-height: 3.25rem;
    border-top: 1px solid var(--line); text-align: start }
  .reference > span { flex: 1 1 9rem; min-width: 0 }
  :not(.reference) + .reference { margin-top: 1rem }
  .copy { min-width: 2.75rem; min-height: 2.75rem; padding: 0 .25rem; border: 0; color: inherit; background: none; font: inherit;
    font-weight: 600; text-decoration: underline; text-underline-offset: 3px; cursor: pointer }
  html:not(.scripted) .copy { display: none }
  code { display: block; font: .8125rem/1.5 ui-monospace, monospace; color: var(--ink); overflow-wrap: anywhere;
    user-select: all }
  a { display: block; min-height: 3rem; margin-top: 1rem; padding: .75rem min(1rem, 4vw); border-radius: .75rem; color: inherit;
    font-weight: 600; text-underline-offset: 3px }
  a.primary { background: var(--accent); color: var(--on-accent); text-decoration: none }
  a.primary:hover { background: color-mix(in srgb, var(--accent) 88%, var(--shade)) }
  a.primary:active { background: color-mix(in srgb, var(--accent) 76%, var(--shade)) }
  a small { display: block; font-weight: 400; overflow-wrap: anywhere }
  :focus-visible { outline: 3px solid var(--edge); outline-offset: 3px }
  @media (prefers-reduced-motion: no-preference) {
    :is(.waiting, .pending) .mark::after { animation: ring 2s ease-out infinite }
    .paid .mark { animation: appear .3s }
  }
  @keyframes ring { to { opacity: 0; scale: 1.4 } }
  @keyframes appear { from { opacity: 0; scale: .6 } }
  @media (forced-colors: active) { .mark, progress, header > span { border: 1px solid } a.primary { border: 3px solid }
    progress::-webkit-progress-value { background: CanvasText; forced-color-adjust: none }
    progress::-moz-progress-bar { background: CanvasText; forced-color-adjust: none } }
`
