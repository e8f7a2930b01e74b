import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../demo/sandbox/index.ts'
import { listen } from '../../demo/sandbox/wire/listen.ts'
import { newFolder } from '../support/folder.ts'
import { linkModules } from '../create/packed.ts'
import { run } from '../support/command-line.ts'

const LIMIT = { timeout: 120_000 }

// The package as it is published, without the test framework of this repository.
const folder = newFolder(afterAll)
linkModules(folder, ['vitest', '@vitest', 'vite', 'chai'])

const conformance = (args: readonly string[], env = {}) =>
  run(
    ['conformance', ...args],
    env,
    '',
    join(folder, 'node_modules/gateway-checkout-server/dist/cli.js'),
    folder,
  )

test('the packed command grades a sandbox by its address alone, as the README counts', LIMIT, async () => {
  const { code, out } = await conformance(['--against', await serving()])
  expect(code).toBe(0)
  const [, passed, skipped, unknown] =
    /\nall +(\d+) passed, 0 failed, (\d+) skipped, (\d+) unknown\n$/.exec(out) ?? []
  expect(readFileSync('test/conformance/README.md', 'utf8')).toContain(
    `| sandbox by its address alone | 547 | ${passed} | ${skipped} | ${unknown} |`,
  )
  expect(out).toMatch(/\n\nGET \/v1\/fx\n✓ /)
  expect(out).toMatch(/^\? Events \/ 6: Not shown: signatures of callbacks\./m)
})

test('a gateway that breaks a rule is refused, with the row and the reason', LIMIT, async () => {
  const junit = join(folder, 'conformance.xml')
  const url = await serving(async (response) => {
    const { checkout_reference: _, ...body } = await response.json()
    return Response.json(body, { status: response.status })
  }, '/v2/checkout/initiate')
  const { code, out } = await conformance(['--against', url, '--junit', junit])
  expect(code).toBe(1)
  expect(out).toMatch(
    /^✗ Standard checkout response \/ checkout_reference: expected \/\\S\/, got undefined$/m,
  )
  expect(out).toMatch(/^✓ Standard checkout response \/ currency$/m)
  expect(readFileSync(junit, 'utf8')).toMatch(
    /<testcase classname="conformance" name="Standard checkout response \/ checkout_reference"><failure message="expected /,
  )
})

test('of a gateway without /_sandbox it says what is skipped, and why', LIMIT, async () => {
  const { code, out } = await conformance([
    '--against',
    await serving(() => new Response(null, { status: 404 }), '/_sandbox/'),
  ])
  expect(code).toBe(0)
  expect(out).toMatch(/^- Checkout overall status \/ 802: needs control: a \/_sandbox, to pay as a customer/m)
  expect(out).toMatch(/^- .*: needs charges: their path \(CONFORMANCE_CHARGE_PATH\)$/m)
  expect(out).toMatch(/\nall +\d+ passed, 0 failed, \d{3} skipped, 25 unknown\n$/)
})

test('nothing is sent with other keys before somebody agrees, and an absent gateway is no verdict', async () => {
  const against = ['--against', 'http://127.0.0.1:1']
  const asked = await conformance(against, { CONFORMANCE_CONSUMER_KEY: 'key-of-ours' })
  expect([asked.code, asked.out]).toEqual([2, ''])
  expect(asked.err).toContain('Sends about a hundred payouts')
  expect(await conformance(against)).toMatchObject({ code: 69, out: '' })
})

/** Serves a sandbox whose answers under `path` are changed. Resolves with its URL. */
async function serving(
  change: (response: Response) => Response | Promise<Response> = (response) => response,
  path = '',
): Promise<string> {
  const { app } = createSandbox()
  const fetch = async (request: Request) => {
    const response = await app.request(request)
    return path !== '' && new URL(request.url).pathname.startsWith(path) ? change(response) : response
  }
  const { url, close } = await listen({ fetch }, 0)
  onTestFinished(close)
  return url
}
