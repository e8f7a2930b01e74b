import { expect, inject, test } from 'vitest'
import { openBrowser } from '../browser/open.ts'
import { openAll } from '../demo.ts'
import { openDemoWithPages, scriptTag } from '../pages.ts'
import { arrive } from '../shopper.ts'

const engine = inject('engine')
const [demo, browser] = await openAll(openDemoWithPages(), openBrowser(engine))

// The simulated customer of this number does not answer: the test answers.
const SILENT = '+254700009003'

test('a shopper is asked on the phone, cannot pay there, and pays on the payment page', async () => {
  const { bff, pages } = demo
  const address = pages.put(
    (order) => `${scriptTag(bff)}<gateway-checkout server="${bff}" order="${order}" method="prompt"
      launch="redirect" payer-name="Asha" payer-email="asha@example.com" payer-msisdn="${SILENT}"></gateway-checkout>`,
  )
  const shopper = await arrive(await browser.newContext(), demo, address)
  await shopper.tag.getByRole('button').click()
  const asked = await shopper.sees('waiting', /Approve on your phone/)
  expect(asked.prompt?.method).toBe('MOMO_KEN')
  await demo.act(asked, 'cancel')
  await shopper.sees('unpaid', /Not paid/, { attempt: 1, settled: true })
  await shopper.page.evaluate(
    `document.querySelector('gateway-checkout').setAttribute('payer-msisdn', '+254700000001')`,
  )
  const hosted = await shopper.submit(/Pay another way/)
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/, { attempt: 2 })
  await shopper.leave()
})
