/** The orders of the templates in JavaScript: what becomes of each event is proven in `prove/`. */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

import { newFolder } from '../support/folder.ts'
import { isRoot } from '../support/worlds/server-process.ts'
import { mountSmallDisk } from './small-disk.ts'

const ORDERS = resolve('demo/create/templates/one-process/orders.mjs')

test('an order is fulfilled once, however often its event arrives and the shop restarts', () => {
  const { order, review, deliver } = openShop()
  // As a database with a decimal column gives the amount.
  expect(deliver({ amount: '1500.00' })).toBe(`paid: fulfil order ${order}\n`)
  expect([deliver(), deliver()]).toEqual(['', ''])
  const again = `paid again: look at order ${order}`
  expect(deliver({ merchant_transaction_id: 'other' })).toBe(`${again}\n`)
  expect(readFileSync(review, 'utf8')).toBe(again)
})

test.skipIf(!isRoot)(
  'an order whose mark does not fit on the disk is fulfilled when its event comes again',
  () => {
    const cwd = newFolder()
    const disk = mountSmallDisk(join(cwd, 'orders'))
    const { order, deliver } = openShop(cwd)
    disk.fill()
    expect(() => deliver()).toThrow('ENOSPC')
    disk.makeRoom()
    expect(deliver()).toBe(`paid: fulfil order ${order}\n`)
    expect(readdirSync(join(cwd, 'orders')).toSorted()).toEqual([`${order}.json`, `${order}.paid`])
  },
)

test('an empty mark, as a power cut leaves it, is none', () => {
  const { order, mark, deliver } = openShop()
  writeFileSync(mark, '')
  expect(deliver()).toBe(`paid: fulfil order ${order}\n`)
  expect(readFileSync(mark, 'utf8')).toBe('first')
})

test.each(['guides/migrating.md', 'guides/marketplace.md', 'llms.txt'])(
  'the shop of %s looks a paid order up and marks it as the templates do',
  (name) => {
    const unindented = (text: string) => text.replaceAll(/^ +/gm, '')
    const template = readFileSync(ORDERS, 'utf8')
    const start = template.indexOf('  const order = findOrder(')
    const [lookUp, mark] = template
      .slice(start, template.indexOf('\n}\n', start))
      .split(/^ *\/\/ This file(?:.*\n *\/\/)*.*\n/m)
    expect({ lookUp, mark }).toEqual({
      lookUp: expect.stringContaining('there is no order'),
      mark: expect.stringContaining('keep('),
    })
    // Shares are paid when an event is accepted, so the marketplace refuses what the others keep for a person.
    const text = unindented(readFileSync(`server/${name}`, 'utf8')).replaceAll(
      /(await )?refuse\(data,/g,
      'review(id,',
    )
    const [keep] = /\/\*\* Stores a file(?:.*\n)+?}\n/.exec(template) ?? []
    for (const part of [lookUp, mark, keep]) {
      expect(text).toContain(unindented(String(part).replaceAll('orders/', '')))
    }
  },
)

/** `deliver` delivers an event to a new process each time, and returns what it prints. */
function openShop(cwd = newFolder()) {
  const run = (code: string) => {
    const script = `const { createOrder, onEvent } = await import(${JSON.stringify(ORDERS)}); ${code}`
    const parameters = ['--input-type=module', '-e', script]
    return execFileSync(process.execPath, parameters, { cwd, encoding: 'utf8', stdio: 'pipe' })
  }

  const order = run('console.log(createOrder())').trim()
  return {
    order,
    mark: join(cwd, `orders/${order}.paid`),
    review: join(cwd, 'orders/evt_1.review'),
    deliver: (terms: object = {}) => {
      const data = { order, merchant_transaction_id: 'first', amount: '1500', currency: 'KES', ...terms }
      return run(`onEvent(${JSON.stringify({ id: 'evt_1', type: 'checkout.paid', data })})`)
    },
  }
}
