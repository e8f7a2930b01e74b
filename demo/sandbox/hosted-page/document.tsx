import { createHash } from 'node:crypto'
import { raw } from 'hono/html'
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
  /** What is beside the page. */
  aside?: Child
  children?: Child
}

export function Document({ title, environment, style = '', refresh = null, aside, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {refresh === null ? null : <meta http-equiv="refresh" content={refresh} />}
        <style>{raw(STYLE + style)}</style>
      </head>
      <body>
        <header class="sandbox">{SENTENCES[environment]}</header>
        <div class="columns">
          <main>{children}</main>
          {aside}
        </div>
      </body>
    </html>
  )
}

/**
 * Returns an HTML response whose Content-Security-Policy allows only the page's own style.
 *
 * @param style The CSS of the page, as passed to `Document`.
 */
export function htmlResponse(document: { toString(): string }, style: string, status: number): Response {
  const hash = createHash('sha256')
    .update(STYLE + style)
    .digest('base64')
  return new Response(`<!doctype html>${document.toString()}`, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}
