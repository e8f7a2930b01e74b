import { describe, expect, test } from 'vitest'
import { createWorld } from '../support/world.ts'

async function shopWithoutStore() {
  const shop = await createWorld()
  shop.order('A-1')
  const begun = await shop.start('A-1')
  const callback = shop.callbackPath(begun)
  await shop.later(5_000)
  await shop.store.close()
  return { shop, callback, id: begun.checkout_id, asked: shop.gatewayRequests().length }
}

describe('while the store cannot be used', () => {
  test('nothing is begun at the gateway', async () => {
    const { shop, asked } = await shopWithoutStore()
    shop.order('A-2')
    const answer = await shop.initiate('A-2')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toMatchObject({ code: 'store_unavailable', retryable: true })
    expect(shop.gatewayRequests()).toHaveLength(asked)
  })

  test('a page is told to ask again', async () => {
    const { shop, id } = await shopWithoutStore()
    for (const path of [
      `/checkout/status/${id}`,
      `/checkout/status/${id}/stream`,
      `/checkout/return/${id}`,
    ]) {
      const answer = await shop.ask(path)
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
      expect(await answer.json()).toMatchObject({ code: 'store_unavailable', retryable: true })
    }
  })

  test('a callback is to be delivered again', async () => {
    const { shop, callback } = await shopWithoutStore()
    const answer = await shop.ask(callback, { method: 'POST', body: '{}' })
    expect([answer.status, (await answer.json()).code]).toEqual([503, 'store_unavailable'])
  })

  test('the server lives and is not ready', async () => {
    const { shop } = await shopWithoutStore()
    expect((await shop.ask('/health/live')).status).toBe(200)
    const ready = await shop.ask('/health/ready')
    expect([ready.status, (await ready.json()).code]).toEqual([503, 'store_unavailable'])
  })

  test('the workers say so once a second and go on', async () => {
    const { shop } = await shopWithoutStore()
    const before = shop.logged.length
    await shop.later(60_000)
    const errors = shop.logged.slice(before).filter(({ level }) => level === 'error')
    expect(errors.length).toBeGreaterThan(20)
    expect(errors.length).toBeLessThan(130)
  })

  test('no answer says what went wrong inside', async () => {
    const { shop, id } = await shopWithoutStore()
    const text = await (await shop.ask(`/checkout/status/${id}`)).text()
    expect(text).not.toMatch(/sqlite|database|Error|at /i)
  })
})
