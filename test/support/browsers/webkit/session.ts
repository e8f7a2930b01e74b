/** A session of W3C WebDriver: its commands over HTTP. */

// [W3C WebDriver: web element identifier]
export const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

export interface Session {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body?: object): Promise<T>
  delete<T>(path: string): Promise<T>
  run<T>(script: string, ...args: unknown[]): Promise<T>
  close(): Promise<void>
}

export class WebDriverError extends Error {
  override readonly name = 'WebDriverError'
  readonly code: string

  constructor(command: string, { error, message }: { error: string; message: string }) {
    super(`${command}: ${error}. ${message}`)
    this.code = error
  }
}

const COMMAND_TIMEOUT_MS = 30_000
const OPEN_TIMEOUT_MS = 10_000

export async function openSession(driver: string, close: () => Promise<void>): Promise<Session> {
  const asked = { capabilities: { alwaysMatch: { pageLoadStrategy: 'normal' } } }
  const { sessionId } = await send<{ sessionId: string }>(driver, 'POST', '/session', asked, OPEN_TIMEOUT_MS)
  const session = `${driver}/session/${sessionId}`
  const post = <T>(path: string, body: object = {}) => send<T>(session, 'POST', path, body)
  return {
    post,
    close,
    get: (path) => send(session, 'GET', path),
    delete: (path) => send(session, 'DELETE', path),
    run: (script, ...args) => post('/execute/sync', { script, args }),
  }
}

async function send<T>(
  base: string,
  method: string,
  path: string,
  body?: object,
  timeoutMs = COMMAND_TIMEOUT_MS,
): Promise<T> {
  const answer = await fetch(base + path, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    ...(body && { body: JSON.stringify(body) }),
  })
  const { value } = await answer.json()
  if (!answer.ok) {
    throw new WebDriverError(`${method} ${path}`, value)
  }
  return value
}
