/** Renders the page at `/`, which says to a person what this server is, and leads on. */

import { html, raw } from 'hono/html'
import { STYLE } from './style.ts'

interface HomePage {
  publicUrl: string
  environment: 'sandbox' | 'production'
  version: string
}

export function homePage({ publicUrl, environment, version }: HomePage) {
  const tag = `<gateway-checkout server="${publicUrl}" order="ORDER"></gateway-checkout>`
  return html`<!doctype html> ${(
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <title>gateway-checkout-server</title>
          <style>{raw(STYLE)}</style>
        </head>
        <body>
          <main>
            <h1>gateway-checkout-server {version}</h1>
            <p>
              The payment server behind <code>&lt;gateway-checkout&gt;</code>
              {environment === 'sandbox' && ', in the sandbox environment: no real money moves'}. Shoppers pay
              on the pages of their shop; there is nothing to buy here.
            </p>
            <pre
              tabindex={0}
            >{`<script type="module" src="${publicUrl}/gateway-checkout.js"></script>\n${tag}`}</pre>
            <ul>
              <li>
                <a href={`${publicUrl}/docs`}>Reference of every route, event and problem</a>
              </li>
              <li>
                <a href={`${publicUrl}/openapi.json`}>The same as OpenAPI 3.1</a>
              </li>
              <li>
                <a href={`${publicUrl}/health/ready`}>Whether a payment can be stored now</a>
              </li>
            </ul>
          </main>
        </body>
      </html>
    )}`
}
