import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'

import { PAID } from '../../support/worlds/scripted-bff.ts'
import { calm, createTag, shopPage, startedPage } from '../../support/worlds/shop-page.ts'

import type { GatewayCheckout } from '../../../widget/index.ts'

async function inForm(tag: GatewayCheckout): Promise<HTMLFormElement> {
  const form = document.createElement('form')
  document.body.append(form)
  form.append(tag)
  await calm(tag)
  return form
}

test('a form that requires it is valid once it is paid, and sends the checkout', async () => {
  const page = await shopPage({ attributes: { name: 'payment', required: '' } })
  const form = await inForm(page.tag)
  expect(form.checkValidity()).toBe(false)
  expect(page.tag.validity.valueMissing).toBe(true)
  await page.press(/Pay/)
  expect(form.checkValidity()).toBe(false)
  await page.confirm(PAID)
  expect(form.checkValidity()).toBe(true)
  expect(new FormData(form).get('payment')).toBe('checkout-01-of-the-tests')
})

test('resetting the form discards no payment', async () => {
  const page = await shopPage()
  const form = await inForm(page.tag)
  await page.press(/Pay/)
  form.reset()
  await page.later(0)
  expect(page.tag.state).toBe('waiting')
})

test('a disabled fieldset disables it', async () => {
  const page = await shopPage()
  const form = await inForm(page.tag)
  form.innerHTML = '<fieldset disabled></fieldset>'
  form.firstElementChild?.append(page.tag)
  await calm(page.tag)
  expect(page.tag.shadowRoot?.querySelector('button')?.disabled).toBe(true)
  page.tag.start()
  expect(page.tag.state).toBe('idle')
})

test('the element takes its language from around the shadow roots that it is in', async () => {
  await shopPage()
  document.body.innerHTML = '<section lang="fr-SN"><div></div></section>'
  const tag = createTag({ lang: '' })
  const outer = document.querySelector('div')?.attachShadow({ mode: 'open' })
  const inner = outer?.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
  inner?.append(tag)
  await expect.poll(() => tag.shadowRoot?.textContent).toContain('Payer')
})

test('the element is written from right to left in Arabic, on any page, and nothing of it is left in English', async () => {
  const page = await shopPage({ attributes: { lang: 'ar-EG', 'payer-msisdn': '' } })
  await expect.poll(() => page.text()).toBe('ادفع')
  const base = page.tag.shadowRoot?.querySelector<HTMLElement>('.base')
  expect(base && [base.dir, getComputedStyle(base).direction]).toEqual(['rtl', 'rtl'])
  await page.press(/ادفع/)
  expect(page.text()).not.toMatch(/[A-Za-z]/)
  const phone = page.tag.shadowRoot?.querySelector('input')
  if (phone) {
    phone.value = '+201001234567'
  }

  expect(phone && getComputedStyle(phone).direction).toBe('ltr')
})

test('the element shows the merchant’s label and footer, and hides what is meant for no script', async () => {
  const page = await shopPage({
    content: '<b slot="label">Buy now</b><i slot="footer">Thanks</i><form>No script</form>',
  })
  const visible = [...page.tag.children].map((child) => child.checkVisibility())
  expect(visible).toEqual([true, true, false])
  const answer = page.bff.hold()
  await userEvent.click(page.tag.children[0] ?? page.tag)
  await calm(page.tag)
  expect({ state: page.tag.state, checkVisibility: page.tag.children[0]?.checkVisibility() }).toEqual({
    state: 'starting',
    checkVisibility: true,
  })
  answer()
  await calm(page.tag)
  expect({ state: page.tag.state, checkVisibility: page.tag.children[0]?.checkVisibility() }).toEqual({
    state: 'waiting',
    checkVisibility: false,
  })
})

test('the element writes no attribute that nobody set, but its state', async () => {
  const bare = document.body.appendChild(document.createElement('gateway-checkout'))
  await bare.updateComplete
  expect(bare.getAttributeNames()).toEqual(['state'])
})

test('a different order is a different payment, and the old one is no longer shown', async () => {
  const page = await startedPage({ view: PAID })
  expect(page.tag.state).toBe('paid')
  page.tag.order = 'order-2'
  await page.later(0)
  expect(page.tag.state).toBe('idle')
})
