// The onboarding, one form for each step.

import { STEP_NAMES, STEPS } from '../../merchants/onboarding.ts'
import { OWNERS } from '../../users/roles.ts'
import { card, notice, tag } from '../card.ts'
import { email, line, LONG, ticked } from '../fields.ts'
import { declareForm, done, refused } from '../page.ts'

import type { Step } from '../../merchants/onboarding.ts'
import type { Content, PortalForm, View } from '../page.ts'

const COMPLETE = 'Onboarding is complete: payouts are allowed.'

export const onboarding: Content = {
  show: (visit) => [introductionOf(visit), ...STEP_NAMES.map((step) => stepCard(step, visit))],
  forms: Object.fromEntries(STEP_NAMES.map((step) => [step, stepForm(step)])),
}

function stepForm(step: Step): PortalForm {
  const { title, fields: labels } = STEPS[step]
  const [first = step] = Object.keys(labels)
  const fieldFor = (name: string, label: string) => (name === 'email' ? email : line(label, LONG))
  const texts = Object.entries(labels).map(([name, label]) => [name, fieldFor(name, label)])
  const isLast = step === 'agreement'
  const agreed = ticked('I agree to the terms of the gateway, and what is written above is true')
  return declareForm({
    roles: OWNERS,
    submit: isLast ? 'Agree and complete' : 'Save and continue',
    fields: { ...Object.fromEntries(texts), ...(isLast && { agreed }) },
    send({ world: { onboarding } }, typed: Readonly<Record<string, unknown>>) {
      const answers = Object.keys(labels).map((name) => [name, String(typed[name])])
      const problem = onboarding.answer(step, Object.fromEntries(answers))
      if (problem !== null) {
        return refused(first, `${title}: ${problem}`)
      }
      return done(onboarding.isComplete() ? COMPLETE : `${title}: saved.`)
    },
  })
}

function introductionOf({ world }: View) {
  if (world.environment === 'sandbox') {
    return notice('The sandbox allows payouts without onboarding. You can try here what production asks for.')
  }

  return world.onboarding.isComplete()
    ? notice(COMPLETE, 'good')
    : notice('Payouts are refused with SERVICE_NOT_ALLOWED until all steps are complete.', 'warn')
}

function stepCard(step: Step, { world, showForm }: View) {
  const answers = world.onboarding.answersOf(step)
  const { title, fields } = STEPS[step]
  const open = tag(answers === null ? { label: 'To do', tone: 'warn' } : { label: 'Done', tone: 'good' })
  const facts = Object.entries(fields).map(([name, label]) => [label, answers?.[name] ?? '–'] as const)
  const form = step === world.onboarding.nextStep() ? showForm(step, { title, tag: open }) : null
  return form ?? card({ title, tag: open, facts })
}
