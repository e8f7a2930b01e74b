import { expect, onTestFinished } from 'vitest'

import { control } from '../support/worlds/sandbox-line.ts'
import { openAll } from './demo.ts'
import { scriptTag, tag } from './pages.ts'
import { openScripts } from './scripts.ts'
import { arrive, PATIENCE } from './shopper.ts'
import { test, theBrowser, theDemo } from './worker.ts'

const [demo, browser] = await Promise.all([theDemo(), theBrowser()])
const [scripts] = await openAll(openScripts(demo.bff))

/** The page decides when it is idle. */
const BUSY = `<script>
  var idle = []
  window.requestIdleCallback = (run) => idle.push(run)
  var becomeIdle = () => { for (const run of idle.splice(0)) run() }
</script>`

async function open(head = '', attributes = '') {
  scripts.asked.length = 0
  const address = demo.pages.put(
    (order) => head + scriptTag(scripts.origin) + tag(demo.bff, order, `launch="popup" ${attributes}`),
  )
  const shopper = await arrive(await browser.newContext(), demo, address)
  const state = () => shopper.page.evaluate<string>(`document.querySelector('gateway-checkout').state`)
  await expect.poll(state, PATIENCE).toBeTruthy()
  return { shopper, state }
}

test('a press before the second file opens the pop-up at once, and starts one checkout when the file is there', async () => {
  const arrived = scripts.hold()
  onTestFinished(arrived)
  const { shopper, state } = await open()
  const hosted = await shopper.opened(async () => {
    await shopper.tag.getByRole('button').first().click()
    await expect.poll(() => shopper.windows(), PATIENCE).toBe(2)
    // Firefox answers the test while it opens the window.
    await expect.poll(state, PATIENCE).toBe('starting')
    await shopper.page.evaluate(`document.querySelector('gateway-checkout').start()`)
    arrived()
  })
  expect(await shopper.windows()).toBe(2)
  await hosted.answer('Enter PIN and approve')
  await shopper.sees('paid', /1,500/, { attempt: 1 })
})

test('a pop-up has a title, a language and a direction before the payment page arrives', async () => {
  const arrived = scripts.hold()
  onTestFinished(arrived)
  const { shopper } = await open(KEEPS_POPUP, 'lang="ar" amount="KES 1500"')
  const described = () => shopper.page.evaluate<string[]>(POPUP)
  await shopper.tag.getByRole('button').first().click()
  await expect.poll(described, PATIENCE).toEqual(['ar', 'rtl', expect.stringMatching(/^ادفع .*KES/), '='])
})

const KEEPS_POPUP = `<script>
  var popup
  const { open } = window
  window.open = (...address) => (popup = open.apply(window, address))
</script>`
const POPUP = `(() => {
  const { documentElement: { lang, dir }, title, body } = popup.document
  return [lang, dir, title, title === body.textContent ? '=' : body.textContent]
})()`

// Firefox runs other tasks of the page while it opens a window: those of message channels, though not timers.
test('start() while the pop-up opens starts no second checkout', async () => {
  const { shopper } = await open(`${BUSY}<script>
    var opened = 0
    const { port1, port2 } = new MessageChannel()
    addEventListener('checkout-open', ({ target: tag }) => {
      opened++
      port1.onmessage = () => {
        tag.start()
        if (!tag.checkout) port2.postMessage('again')
      }
      port2.postMessage('')
    }, { capture: true })
  </script>`)
  const hosted = await shopper.press()
  expect([await shopper.windows(), await shopper.page.evaluate('opened')]).toEqual([2, 1])
  await hosted.answer('Enter PIN and approve')
  await shopper.sees('paid', /1,500/, { attempt: 1 })
})

test('a second file that failed is asked for again, under another address, by a press', async () => {
  scripts.fail(1)
  const { shopper } = await open()
  await expect.poll(() => scripts.asked, PATIENCE).toHaveLength(1)
  const hosted = await shopper.press()
  expect(scripts.asked).toEqual([
    expect.stringMatching(/^\/gateway-checkout\/flow-[\w-]+\.js$/),
    `${scripts.asked[0]}?again`,
  ])
  await hosted.answer('Enter PIN and approve')
  await shopper.sees('paid', /1,500/)
})

test('without the second file, a press opens the hosted page in this window, and closes the pop-up', async () => {
  scripts.fail(Infinity)
  const { shopper } = await open()
  const hosted = await shopper.press()
  expect(hosted.page).toBe(shopper.page)
  await expect.poll(() => shopper.windows(), PATIENCE).toBe(1)
  await hosted.answer('Enter PIN and approve')
  await expect.poll(async () => (await demo.fulfilment(shopper.order)).standing, PATIENCE).toBe('fulfilled')
  scripts.fail(0)
})

test('without the second file, a name arrives as it is from a page in windows-1252', async () => {
  scripts.fail(Infinity)
  onTestFinished(() => scripts.fail(0))
  const address = demo.pages.put(
    (order) =>
      scriptTag(scripts.origin) +
      tag(demo.bff, order, 'launch="redirect"').replace('Asha Mwangi', 'Andr&eacute; Kon&eacute;'),
    { 'content-type': 'text/html; charset=windows-1252' },
  )
  const shopper = await arrive(await browser.newContext(), demo, address)
  await shopper.press()
  const { requests } = await control(demo.sandbox, '/requests')
  expect(JSON.stringify(requests.at(-1))).toContain('André Koné')
})

test('without the second file, who may have paid can load the page again, or ask the shop', async () => {
  const { shopper } = await open(
    '',
    'amount="KES 1500" help="tel:+254 700 000 001 | https://wa.me/254700000001"',
  )
  await shopper.press()
  const { checkout_id } = await shopper.sees('waiting', /./)
  scripts.fail(Infinity)
  await shopper.page.reload()
  const words = () => shopper.page.evaluate<string>(WORDS)
  await expect
    .poll(words, PATIENCE)
    .toBe(
      'Checking your payment Please do not pay again. \u200e+254 700 000 001 | \u200ewa.me/254700000001 KES 1,500Reload',
    )
  // No receipt follows this card, so that it keeps no room for one.
  expect(await shopper.page.evaluate<number>(ROOM_BELOW_BUTTON)).toBeLessThanOrEqual(24)
  scripts.fail(0)
  await shopper.tag.getByRole('button').first().click()
  expect(await shopper.sees('waiting', /./)).toMatchObject({ checkout_id })
})

test('a second file that arrived is not lost 20 s later, however long the payment is checked', async () => {
  const { shopper } = await open(
    `<script>
      var lateMs = 0, isLate = false
      const { fetch: ask } = window, { now } = Date
      Date.now = () => now() + lateMs
      window.fetch = (...asked) => (/status/.test(asked[0]) ? new Promise(() => {}) : ask(...asked))
    </script>`,
    'checkout-id="lost" help="tel:+254700000001"',
  )
  const links = () =>
    shopper.page.evaluate(
      `document.querySelector('gateway-checkout').shadowRoot.querySelectorAll('[part=help] a').length`,
    )
  await expect.poll(links, PATIENCE).toBe(1)
  // Every timer of the element that is due ends before this one.
  await shopper.page.evaluate('setTimeout(() => (isLate = true), 1_000, (lateMs = 21_000))')
  await expect.poll(() => shopper.page.evaluate('isLate'), PATIENCE).toBe(true)
  expect(await shopper.page.evaluate<string>(WORDS)).toMatch(
    /^Checking your payment Please do not pay again\. Contact the shop \+254700000001$/,
  )
})

const ROOM_BELOW_BUTTON = `(() => {
  const card = document.querySelector('gateway-checkout').shadowRoot.querySelector('.card')
  return card.getBoundingClientRect().bottom - card.querySelector('button').getBoundingClientRect().bottom
})()`
const WORDS = `(document.querySelector('gateway-checkout').shadowRoot?.querySelector('.card')?.textContent ?? '').trim().replace(/\\s+/g, ' ')`

test('without the second file, a press in a frame leads its pop-up to the hosted page, and not the window', async () => {
  scripts.fail(Infinity)
  const framed = demo.pages.put((order) => scriptTag(scripts.origin) + tag(demo.bff, order, ''))
  const address = demo.pages.put(
    () => `<button onclick="frames[0].document.querySelector('gateway-checkout').start()">Buy</button>
      <iframe src="${framed}"></iframe>`,
  )
  const shopper = await arrive(await browser.newContext(), demo, address)
  const state = `frames[0].document.querySelector('gateway-checkout')?.state`
  await expect.poll(() => shopper.page.evaluate(state), PATIENCE).toBe('idle')
  const hosted = await shopper.submit(/Buy/)
  expect(hosted.page).not.toBe(shopper.page)
  expect({ url: await shopper.page.url(), windows: await shopper.windows() }).toEqual({
    url: address,
    windows: 2,
  })
  scripts.fail(0)
})

test('the second file is loaded when the page is idle', async () => {
  const { shopper } = await open(BUSY)
  expect(scripts.asked).toEqual([])
  await shopper.page.evaluate('becomeIdle()')
  await expect.poll(() => scripts.asked, PATIENCE).toHaveLength(1)
})

test('a checkout in the tab does not wait until the page is idle', async () => {
  const { shopper } = await open(BUSY)
  await shopper.press()
  const { checkout_id } = await shopper.sees('waiting', /./)
  await shopper.page.reload()
  expect(await shopper.sees('waiting', /./)).toMatchObject({ checkout_id })
})

const FIELDS = ['payer_name', 'payer_email', 'payer_msisdn']
const INPUTS = FIELDS.map((name) => `<label>${name}<input name="${name}"></label>`).join('')

test.each([
  ['in a disclosure', `<details><summary>Pay</summary>${INPUTS}</details>`],
  ['in view', `<h1>Pay</h1>${INPUTS}`],
])(
  'what the shopper types into the form of the page is in that of the element, when the script comes late: %s',
  async (_, content) => {
    scripts.asked.length = 0
    const arrived = scripts.hold()
    onTestFinished(arrived)
    const address = demo.pages.put(
      (order) => `<gateway-checkout lang="sw" server="${demo.bff}" order="${order}" launch="redirect">
        <form method="post" action="${demo.bff}/checkout/initiate">${content}</form></gateway-checkout>`,
    )
    const shopper = await arrive(await browser.newContext(), demo, address)
    const { page, tag } = shopper
    await page.locator('summary, h1').click()
    await page.locator('[name=payer_email]').fill('asha@')
    await page.locator('[name=payer_name]').fill('Asha Mwangi')

    await page.evaluate(`void document.body.append(
      Object.assign(document.createElement('script'), { type: 'module', src: '${scripts.origin}/gateway-checkout.js' }),
    )`)
    await expect.poll(() => scripts.asked, PATIENCE).not.toEqual([])
    arrived()
    await expect
      .poll(() => page.evaluate(IN_TAG), PATIENCE)
      .toEqual({
        // The form puts the focus on what is missing.
        typing: expect.stringMatching(/^payer_(email|msisdn)$/),
        payer_name: 'Asha Mwangi',
        payer_email: 'asha@',
        payer_msisdn: '',
      })
    await tag.locator('#payer_email').fill('asha@example.com')
    await tag.locator('#payer_msisdn').fill('+254700000001')
    await shopper.press()
  },
)

const IN_TAG = `(() => {
  const root = document.querySelector('gateway-checkout').shadowRoot
  const inputs = [...(root?.querySelectorAll('[part=form] input') ?? [])]
  return { typing: root?.activeElement?.name, ...Object.fromEntries(inputs.map(({ name, value }) => [name, value])) }
})()`
