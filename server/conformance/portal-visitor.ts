/** A browser without scripts, as which checks and tests use the portal. */

type Request = (path: string, init?: RequestInit) => Response | Promise<Response>

export const PASSWORD = 'sandbox-password'

export interface Page {
  status: number
  location: string | null
  html: string
  headers: Headers
}

/** A browser without scripts, in the portal of a sandbox. */
export function openPortal({ request }: { request: Request }, environment = 'sandbox') {
  let cookie = ''
  let page: Page = { status: 0, location: null, html: '', headers: new Headers() }

  async function ask(path: string, init: RequestInit = {}): Promise<Page> {
    const headers = new Headers(init.headers)
    if (cookie !== '' && !headers.has('cookie')) {
      headers.set('cookie', cookie)
    }

    const response = await request(path, { ...init, headers })
    const set = new RegExp(`portal_${environment}=[0-9a-f]+`).exec(response.headers.get('set-cookie') ?? '')
    if (set) {
      cookie = set[0]
    }

    const { status } = response
    const location = response.headers.get('location')
    return (page = { status, location, html: await response.text(), headers: response.headers })
  }

  const visitor = {
    ask,
    cookie: () => cookie,
    page: () => page,
    open: (path = '') => ask(`/portal${path}`),
    /** Sends the form of the current page with that name, as it is shown, with other values. */
    async send(name: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
      return post(formIn(page.html, name, fields), headers)
    },
    post,
    /** Follows the redirect of the last answer. */
    follow: () => ask(page.location ?? ''),
    async signIn(email = 'owner@sandbox.test', password = PASSWORD) {
      await visitor.open('/sign-in')
      return visitor.send('sign-in', { email, password })
    },
  }

  function post({ action, fields }: SentForm, headers: Record<string, string> = {}): Promise<Page> {
    const type = 'application/x-www-form-urlencoded'
    const body = new URLSearchParams(fields).toString()
    return ask(action, { method: 'POST', headers: { 'content-type': type, ...headers }, body })
  }

  return visitor
}
export type Visitor = ReturnType<typeof openPortal>

/** Opens a browser whose user has signed in. Default: the owner. */
export async function signedIn(app: Parameters<typeof openPortal>[0], role = 'owner'): Promise<Visitor> {
  const visitor = openPortal(app)
  await visitor.signIn(`${role}@sandbox.test`)
  return visitor
}

export interface SentForm {
  action: string
  fields: Record<string, string>
}

/**
 * Reads a form of a page: the last part of its address is `name`, and its hidden fields have the values of `fields`
 * where both have them.
 */
export function formIn(html: string, name: string, fields: Record<string, string> = {}): SentForm {
  const forms = [...html.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)]
  const found = forms
    .filter(([, action = '']) => action.split('?')[0]?.endsWith(`/${name}`))
    .map(([, action = '', content = '']) => ({ action: plain(action), hidden: hiddenIn(content) }))
    .find(({ hidden }) => Object.entries(hidden).every(([key, value]) => (fields[key] ?? value) === value))
  if (!found) {
    throw new Error(`There is no form ${name} with ${JSON.stringify(fields)} in ${html}`)
  }
  return { action: found.action, fields: { ...found.hidden, ...fields } }
}

export function problemsIn(html: string): Record<string, string> {
  const items = [...html.matchAll(/<li data-field="([^"]*)">([^<]*)<\/li>/g)]
  return Object.fromEntries(items.map(([, field = '', text = '']) => [field, plain(text)]))
}

function hiddenIn(content: string): Record<string, string> {
  const inputs = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, plain(value)]))
}

function plain(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

/** Returns the text of a page without tags, as a user reads it. */
export function readableIn(html: string): string {
  const text = html.replace(/<(style|script)>.*?<\/\1>/gs, ' ').replace(/<[^>]*>/g, ' ')
  return plain(text).replace(/\s+/g, ' ')
}
