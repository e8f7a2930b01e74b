import { describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config/config.ts'
import { BFF, createWorld } from '../support/world.ts'

const APP_PAGE = 'capacitor://localhost/thanks/1'
const RETURN_URLS =
  'https://shop.example/thanks,https://shop.example/caf%C3%A9/,https://other.example,capacitor://localhost'

async function start(
  return_url: string,
  env: Environment = { RETURN_URLS },
): Promise<[status: number, location: string | null]> {
  const world = await createWorld({ env })
  world.order('A-1')
  const started = await world.initiate('A-1', { return_url })
  if (!started.ok) return [started.status, (await started.json()).code]
  const { checkout_id } = await started.json()
  const { status, headers } = await world.ask(`/checkout/return/${checkout_id}`)
  return [status, headers.get('location')?.replace(/#.*/, '') ?? null]
}

describe('a return URL', () => {
  test.each([
    ...'https://shop.example/thanks/../admin https://shop.example/thanks/%2e%2e/admin'.split(' '),
    ...'https://shop.example/thanks/.%2E/admin https://shop.example/thanks\\..\\admin'.split(' '),
    ...'https://shop.example/thanks/..%2fadmin https://shop.example/thanks/..%2F..%2Fadmin'.split(' '),
    ...'https://shop.example/thanks/..%5cadmin https://shop.example/thanks/%5C..%5Cadmin'.split(' '),
    ...'https://shop.example/thanks/%252e%252e/admin https://shop.example/thanks/..%252fadmin'.split(' '),
    ...'https://shop.example/thanks/..%25255cadmin https://shop.example/thanks/..;/admin'.split(' '),
    ...'https://shop.example/thanks/%2e%2e;a=1/admin https://shop.example/thanks/%E0%A4%A'.split(' '),
    ...'https://shop.example/thanksgiving https://shop.example/thanks%2fgiving'.split(' '),
    ...'https://shop.example.evil.example/thanks https://shop.example@evil.example/thanks'.split(' '),
    ...'https://x@shop.example/thanks https://shop.example:444/thanks http://shop.example/thanks'.split(' '),
    ...'//evil.example/thanks javascript:alert(1)//https://shop.example/thanks'.split(' '),
    ...'data:text/html,https://shop.example/thanks blob:https://other.example/0f7c'.split(' '),
  ])('that leaves its folder is refused: %s', async (url) => {
    expect(await start(url)).toEqual([422, 'return_url_not_allowed'])
  })

  test.each([
    ['https://shop.example/thanks'],
    ['https://shop.example/thanks/'],
    ['https://shop.example/thanks/A-1?a=..%2f&b=1'],
    ['https://shop.example/other/../thanks/1', 'https://shop.example/thanks/1'],
    ['https://shop.example/%74hanks/1'],
    ['https://shop.example/thanks/..a/b..'],
    ['https://shop.example/thanks/100%25'],
    ['https://shop.example/café/1', 'https://shop.example/caf%C3%A9/1'],
    ['https://shop.example/caf%c3%a9/1'],
  ])('is allowed however it writes the same path: %s', async (url, location = url) => {
    expect(await start(url)).toEqual([303, location])
  })

  test('on an origin that is allowed as a whole may have any path', async () => {
    for (const url of ['https://other.example/a%2fb/..;/c', APP_PAGE])
      expect(await start(url)).toEqual([303, url])
  })

  test.each([
    ['is allowed', {}, 303],
    ['is refused if RETURN_URLS do not name it', { RETURN_URLS }, 422],
  ])('on the origin of PUBLIC_URL %s', async (_, env, status) => {
    expect((await start(`${BFF}/basket`, env))[0]).toBe(status)
    expect(await start('capacitor://localhosts/1', env)).toEqual([422, 'return_url_not_allowed'])
  })
})
