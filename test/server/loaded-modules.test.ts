import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Prints the URL of each script that Node compiles while the built server starts with a SQLite store. */
const START = `
  import { Session } from 'node:inspector'
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params }) => console.log(params.url))
  session.post('Debugger.enable')
  const { createApp, openStore, readConfig } = await import('./server/dist/index.js')
  const config = readConfig({
    GATEWAY_ENVIRONMENT: 'sandbox',
    GATEWAY_BASE_URL: 'http://127.0.0.1:4010',
    GATEWAY_CONSUMER_KEY: 'sandbox-key',
    GATEWAY_CONSUMER_SECRET: 'sandbox-secret',
    GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
    GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
    PUBLIC_URL: 'http://127.0.0.1:4020',
    CALLBACK_SECRET: 'a secret of the test, long enough',
    STORE_URL: 'sqlite::memory:',
  })
  createApp({ config, store: openStore(config.storeUrl), orders: () => null })
  process.exit()`

const NEEDED_LATER = ['commander', 'jose', 'pg', 'pg-pool', 'pino', 'prom-client']
/** The maximum number of undici's files that its connection pool may load. All of undici has 110 files. */
const MOST_FILES_OF_UNDICI = 30

test('a server on SQLite without signed orders and metrics does not load the packages of these features', () => {
  const node = ['--no-warnings', '--input-type=module', '--eval', START]
  const output = execFileSync(process.execPath, node, { encoding: 'utf8' })
  const packages = output
    .split('\n')
    .flatMap((url) => url.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? [])
  expect(packages).toContain('hono')
  expect(NEEDED_LATER.filter((name) => packages.includes(name))).toEqual([])
  expect(packages.filter((name) => name === 'undici').length).toBeLessThan(MOST_FILES_OF_UNDICI)
})
