import type { Config } from '../config/config.ts'

/** Returns what a person reads when the server has started: its address, and the tag to paste into a page. Pure. */
export function greetingOf({ publicUrl, environment, allowedOrigins, host }: Config, port: number): string {
  const { origin } = new URL(publicUrl)
  const local = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  const pages = [...new Set([origin, ...allowedOrigins])]
  return [
    '',
    `Payments (${environment}${environment === 'sandbox' ? ': no real money moves' : ''}): ${publicUrl}`,
    `On this machine: http://${local}:${port}`,
    '',
    'Put this on the page, with the reference of the order:',
    '',
    ...tagOf(publicUrl).map((line) => `  ${line}`),
    '',
    `The page may be on ${pages.join(', ')}. ALLOWED_ORIGINS names further origins.`,
    '',
  ].join('\n')
}

/** Returns the lines of HTML that put the element on a page. */
export function tagOf(publicUrl: string): string[] {
  // The element takes the origin of its script as the server, which is not enough if the server is below a path.
  const isBelowPath = new URL(publicUrl).pathname !== '/'
  const server = isBelowPath ? ` server="${publicUrl}"` : ''
  return [
    `<script type="module" src="${publicUrl}/gateway-checkout.js"></script>`,
    `<gateway-checkout${server} order="ORDER"></gateway-checkout>`,
  ]
}
