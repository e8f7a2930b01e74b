// The users of the merchant and their roles.

import { OWNERS, ROLES } from '../../users/roles.ts'
import { link, tag } from '../card.ts'
import { choice, email, line, SHORT } from '../fields.ts'
import { itemOf, listOf } from '../list.ts'
import { declareForm, done, itemContent, pathIn, refused } from '../page.ts'

import type { User } from '../../users/users.ts'
import type { List } from '../list.ts'
import type { Content } from '../page.ts'

const MAX_USERS = 50

const USERS: List<User> = {
  empty: 'There is no user.',
  all: ({ world, user }) => world.users.listOf(user.merchant),
  columns: [
    [
      'Name',
      'top',
      ({ email, name }, { user }) => [link(pathIn('/users', email), name), email === user.email && ' (you)'],
    ],
    ['E-mail address', 'middle', ({ email }) => email],
    ['Role', 'bottom', ({ role }) => tag({ label: role, tone: 'plain' })],
  ],
}

const role = choice('Role', ROLES)

export const users: Content = {
  show: (visit) => [listOf(USERS, visit), visit.showForm('add', { values: { role: 'viewer' } })],
  forms: {
    add: declareForm({
      roles: OWNERS,
      submit: 'Add the user',
      about: 'The password of the user is shown only once.',
      fields: { name: line('Name', SHORT), email, role },
      send({ world, user: { merchant } }, typed) {
        if (world.users.listOf(merchant).length >= MAX_USERS) {
          return refused('email', `E-mail address: there are ${MAX_USERS} users already. Remove one first.`)
        }

        const password = world.users.add({ ...typed, merchant })
        if (password === null) {
          return refused('email', 'E-mail address belongs to a user already.')
        }

        const secret = { owner: typed.email, value: password }
        return done(`${typed.name} was added.`, { to: pathIn('/users', typed.email), secret })
      },
    }),
  },
}

const LAST_OWNER = 'this is the last owner. Make another user an owner first.'

export const user = itemContent<User>({
  find: ({ world, params, user: self }) =>
    world.users.listOf(self.merchant).find(({ email }) => email === params['email']),
  show: (user, visit) => [
    visit.showSecret(user.email, `Password of ${user.name}`),
    itemOf(USERS, user, visit),
    visit.showForm('role', { values: { role: user.role } }),
    visit.showForm('password'),
    visit.showForm('remove'),
  ],
  forms: {
    role: declareForm({
      roles: OWNERS,
      submit: 'Change the role',
      fields: { role },
      send({ world }, typed, user: User) {
        if (typed.role !== 'owner' && world.users.isLastOwner(user)) {
          return refused('role', `Role: ${LAST_OWNER}`)
        }

        world.users.save({ ...user, role: typed.role })
        return done(`${user.name} is ${typed.role} now.`)
      },
    }),
    password: declareForm({
      roles: OWNERS,
      submit: 'Create a new password',
      about: 'A new password ends all sign-ins of the user. It is shown only once.',
      button: 'quiet',
      fields: {},
      send({ world, user: self }, _, user: User) {
        const secret = { owner: user.email, value: world.users.resetPassword(user) }
        // The owner who has a new password stays, to see it.
        if (user.email !== self.email) {
          world.signIns.endAllOf(user.email)
        }
        return done(`${user.name} has a new password.`, { secret })
      },
    }),
    remove: declareForm({
      roles: OWNERS,
      submit: 'Remove the user',
      about: 'A removed user is signed out at once.',
      button: 'danger',
      fields: {},
      send({ world }, _, user: User) {
        if (world.users.isLastOwner(user)) {
          return refused('email', `E-mail address: ${LAST_OWNER}`)
        }

        world.users.remove(user.email)
        world.signIns.endAllOf(user.email)
        return done(`${user.name} was removed.`, { to: '/users' })
      },
    }),
  },
})
