import { html } from 'hono/html'
import { respondWithDocument } from '../document.ts'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'
import type { Child } from 'hono/jsx'
import type { Environment } from '../environment.ts'

interface HostedPage {
  readonly title: string
  readonly environment: Environment
  readonly style?: string
  readonly refresh?: string | null
  /** Seconds until the script warns that little time is left; `null` if it does not. */
  readonly warning?: number | null
  readonly content: Child
  /** What is beside the page. */
  readonly aside?: Child
}

export function respondWithPage(page: HostedPage, status: number): Promise<Response> {
  const { title, environment, style = '', refresh = null, warning = null, content, aside } = page
  const head =
    refresh === null ? null : html`<noscript><meta http-equiv="refresh" content="${refresh}" /></noscript>`
  const parts = html`<p class="visually-hidden" role="status"></p>
    <p class="trouble" role="status"></p>
    <div class="columns" data-refresh="${refresh}" data-warning="${warning}">
      <main>${content}</main>
      ${aside}
    </div>`
  return respondWithDocument(
    { title, environment, style: STYLE + style, script: SCRIPT, head, content: parts },
    status,
  )
}
