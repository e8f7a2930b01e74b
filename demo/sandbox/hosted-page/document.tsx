import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'
import type { Child } from 'hono/jsx'
import type { Environment } from '../environment.ts'

const SENTENCES = {
  sandbox: 'Sandbox: no real money moves',
  production: 'Production, simulated: no real money moves',
} as const

interface DocumentProps {
  title: string
  environment: Environment
  style?: string
  refresh?: string | null
  /** Seconds until the script warns that little time is left; `null` if it does not. */
  warning?: number | null
  /** What is beside the page. */
  aside?: Child
  children?: Child
}

export function Document({
  title,
  environment,
  style = '',
  refresh = null,
  warning = null,
  aside,
  children,
}: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {refresh === null ? null : (
          <noscript>
            <meta http-equiv="refresh" content={refresh} />
          </noscript>
        )}
        <style>{raw(STYLE + style)}</style>
      </head>
      <body>
        <header class="sandbox">{SENTENCES[environment]}</header>
        <p class="visually-hidden" role="status" />
        <p class="trouble" role="status" />
        <div class="columns" data-refresh={refresh} data-warning={warning}>
          <main>{children}</main>
          {aside}
        </div>
        <script>{raw(SCRIPT)}</script>
      </body>
    </html>
  )
}

/**
 * Returns an HTML response whose Content-Security-Policy allows only the page's own style and script.
 *
 * @param style The CSS of the page, as passed to `Document`.
 */
export function htmlResponse(document: { toString(): string }, style: string, status: number): Response {
  return new Response(`<!doctype html>${document.toString()}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src ${hashOf(STYLE + style)}; script-src ${hashOf(SCRIPT)}; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
