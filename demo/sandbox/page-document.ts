// The HTML document around each page of the hosted page and of the merchant portal.

import { ENGLISH, loadWords } from 'gateway-checkout/words'
import { html, raw } from 'hono/html'
import { createHash } from 'node:crypto'

import BASE from './page.css?raw'

import type { Environment } from './environment.ts'
import type { Child } from 'hono/jsx'

/** What the top of each page says about the environment. */
const BANNERS = {
  sandbox: 'Sandbox: no real money moves',
  production: 'Production, simulated: no real money moves',
} as const

export interface Document {
  readonly title: string
  readonly environment: Environment
  /** Default: English. */
  readonly language?: string
  /** Is added to the style that all documents have. */
  readonly style: string
  /** Default: the document has no script. */
  readonly script?: string
  /** Is added to the `<head>`. */
  readonly head?: Child
  readonly bodyClass?: string
  /** Is below the banner. */
  readonly bar?: Child
  readonly content: Child
}

/** Returns a response whose Content-Security-Policy allows only the document's own style and script. */
export async function respondWithDocument(document: Document, status = 200): Promise<Response> {
  const { title, environment, language = 'en', script = '', head, bodyClass = '', bar, content } = document
  const { dir } = (await loadWords(language)) ?? ENGLISH
  const style = BASE + document.style
  const text = await html`<!doctype html>
    <html lang="${language}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${head}${raw(`<style>${style}</style>`)}
      </head>
      <body class="${environment} ${bodyClass}">
        <header>
          <p class="environment" lang="en" dir="ltr">${BANNERS[environment]}</p>
          ${bar}
        </header>
        ${content}${raw(script && `<script>${script}</script>`)}
      </body>
    </html>`
  const policy = `default-src 'none'; img-src data: https:; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    // A page shows money as it is now, and secrets once.
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  }
  return new Response(text.toString(), { status, headers })
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
