// The users of a merchant, and its onboarding.

import { OWNERS, ROLES } from '../../accounts/roles.ts'
import { STEP_NAMES, STEPS } from '../../onboarding.ts'
import { card, link, tag, notice } from '../card.ts'
import { choice, email, line, ticked } from '../fields.ts'
import { itemOf, listOf } from '../list.ts'
import { form, item, pathIn, refused } from '../page.ts'
import type { User } from '../../accounts/users.ts'
import type { Step } from '../../onboarding.ts'
import type { List } from '../list.ts'
import type { Content, PortalForm, View, Visit } from '../page.ts'

const MOST_USERS = 50

const USERS: List<User> = {
  empty: 'There is no user.',
  all: ({ world, user }) => world.users.listOf(user.merchant),
  columns: [
    ['Name', 'name', nameOf],
    ['E-mail address', 'with', ({ email }) => email],
    ['Role', 'state', ({ role }) => tag({ label: role, tone: 'plain' })],
  ],
}

function nameOf({ email, name }: User, { user }: Visit) {
  return [link(pathIn('/users', email), name), email === user.email ? ' (you)' : '']
}

const role = choice('Role', ROLES)

export const users: Content = {
  show: (visit) => [listOf(USERS, visit), visit.form('add', { values: { role: 'viewer' } })],
  forms: {
    add: form(
      OWNERS,
      ['Add the user', 'You see the password of the user once.'],
      { name: line('Name', 60), email, role },
      ({ world, user: { merchant } }, typed) => {
        if (world.users.listOf(merchant).length >= MOST_USERS)
          return refused('email', `E-mail address: there are ${MOST_USERS} users already. Remove one first.`)
        const value = world.users.add({ ...typed, merchant })
        if (value === null) return refused('email', 'E-mail address belongs to a user already.')
        const of = typed.email
        return { to: pathIn('/users', of), notice: `${typed.name} was added.`, secret: { of, value } }
      },
    ),
  },
}

const LAST_OWNER = 'this is the last owner. Make another user an owner first.'

export const user = item<User>({
  find({ world, params, user: self }) {
    const found = world.users.find(params['email'] ?? '')
    return found?.merchant === self.merchant ? found : undefined
  },
  show: (user, visit) => [
    visit.secret(user.email, `Password of ${user.name}`),
    itemOf(USERS, user, visit),
    visit.form('role', { values: { role: user.role } }),
    visit.form('password'),
    visit.form('remove'),
  ],
  forms: {
    role: form(OWNERS, ['Change the role'], { role }, ({ world }, { role: wanted }, user: User) => {
      if (wanted !== 'owner' && world.users.isLastOwner(user)) return refused('role', `Role: ${LAST_OWNER}`)
      world.users.save({ ...user, role: wanted })
      return { notice: `${user.name} is ${wanted} now.` }
    }),
    password: form(
      OWNERS,
      ['Create a new password', 'A new password ends all sign-ins of the user. You see it once.', 'quiet'],
      {},
      ({ world, user: self }, _, user: User) => {
        const value = world.users.resetPassword(user)
        if (user.email !== self.email) world.signIns.endAllOf(user.email)
        return { notice: `${user.name} has a new password.`, secret: { of: user.email, value } }
      },
    ),
    remove: form(
      OWNERS,
      ['Remove the user', 'A removed user is signed out at once.', 'danger'],
      {},
      ({ world }, _, user: User) => {
        if (world.users.isLastOwner(user)) return refused('email', `E-mail address: ${LAST_OWNER}`)
        world.users.remove(user.email)
        world.signIns.endAllOf(user.email)
        return { to: '/users', notice: `${user.name} was removed.` }
      },
    ),
  },
})

const COMPLETE = 'Onboarding is complete: payouts are allowed.'
const LONGEST = 100

export const onboarding: Content = {
  show: (visit) => [introductionOf(visit), ...STEP_NAMES.map((step) => stepCard(step, visit))],
  forms: Object.fromEntries(STEP_NAMES.map((step) => [step, stepForm(step)])),
}

function stepForm(step: Step): PortalForm {
  const { title, fields: labels } = STEPS[step]
  const [first = step] = Object.keys(labels)
  const fieldFor = (name: string, label: string) =>
    [name, name === 'email' ? email : line(label, LONGEST)] as const
  const texts = Object.entries(labels).map(([name, label]) => fieldFor(name, label))
  const isLast = step === 'agreement'
  const agreed = ticked('I agree to the terms of the gateway, and what is written above is true')
  return form(
    OWNERS,
    [isLast ? 'Agree and complete' : 'Save and continue'],
    { ...Object.fromEntries(texts), ...(isLast && { agreed }) },
    ({ world: { onboarding } }, typed: Readonly<Record<string, unknown>>) => {
      const answers = Object.keys(labels).map((name) => [name, String(typed[name])] as const)
      const problem = onboarding.answer(step, Object.fromEntries(answers))
      if (problem !== null) return refused(first, `${title}: ${problem}`)
      return { notice: onboarding.isComplete() ? COMPLETE : `${title}: saved.` }
    },
  )
}

function introductionOf({ world, simulation }: View) {
  if (simulation.environment === 'sandbox')
    return notice('Payouts of the sandbox need no onboarding. Try here what production asks for.')
  return world.onboarding.isComplete()
    ? notice(COMPLETE, 'good')
    : notice('Payouts are refused with SERVICE_NOT_ALLOWED until all steps are complete.', 'warn')
}

function stepCard(step: Step, { world, form: formOf }: View) {
  const answers = world.onboarding.answersOf(step)
  const { title, fields } = STEPS[step]
  const open = tag(answers === null ? { label: 'To do', tone: 'warn' } : { label: 'Done', tone: 'good' })
  const facts = Object.entries(fields).map(([name, label]) => [label, answers?.[name] ?? '–'] as const)
  const form = step === world.onboarding.nextStep() ? formOf(step, { title, tag: open }) : null
  return form ?? card({ title, tag: open, facts })
}
