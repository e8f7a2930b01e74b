import { z } from 'zod'
import { messageOf } from '../../wire/failure.ts'
import { Facts, Tag, Timeline } from '../details.tsx'
import { addressOf } from '../layout.tsx'
import { Pages, Search } from '../list-controls.tsx'
import { pageOf, readListQuery, ROWS_OF_PAGE } from '../listing.ts'
import { form, refused } from '../page.ts'
import { DEVELOPERS, EVERYONE, FINANCE } from '../roles.ts'
import { GiveBack, Resolve, Simulate } from './move-forms.tsx'
import { When } from '../when.tsx'
import type { Page, PortalForm, Visit } from '../page.ts'
import type { Detail, MoneyAction, Moves, Part, TransactionPage } from './kind.ts'

const GIVE_BACK = z.object({
  as: z.enum(['refund', 'reverse'], 'How must be a refund or a reversal.'),
  sure: z.literal('on', 'Tick the box: a refund or reversal cannot be undone.'),
})
const RESOLVE = z.object({
  as: z.enum(['resolve_paid', 'resolve_failed'], 'How it ended must be chosen.'),
  sure: z.literal('on', 'Tick the box: the result cannot be undone.'),
})
const SIMULATE = z.object({
  scenario: z.string(),
  amount: z
    .string()
    .trim()
    .regex(/^(|\d{1,15}(\.\d{1,2})?)$/, 'Amount must be a number such as 500 or 500.50.'),
})

const DONE = {
  refund: 'The money was refunded.',
  reverse: 'The money was reversed.',
  resolve_paid: 'Resolved: the operator has moved the money.',
  resolve_failed: 'Resolved: the operator has not moved the money.',
} as const satisfies Record<MoneyAction, string>

/** Returns the page of one transaction, with the forms that move its money. */
export function detailPage<T>(page: TransactionPage<T>): Page {
  return {
    path: page.path,
    title: page.title,
    roles: EVERYONE,
    show(visit) {
      const transaction = page.find(visit.world, visit.params)
      if (transaction === undefined) return null
      const { search } = readListQuery(Object.fromEntries(visit.query))
      const detail = page.detailOf(visit.world, transaction, search)
      return <Transaction detail={detail} moves={page.moves} visit={visit} />
    },
    forms: page.moves === null ? {} : formsOf(page, page.moves),
  }
}

function formsOf<T>(page: TransactionPage<T>, moves: Moves<T>): Record<string, PortalForm> {
  const act = ({ world, params }: Visit, { as }: { as: MoneyAction }) => {
    const transaction = page.find(world, params)
    if (transaction === undefined) return refused('as', 'The transaction does not exist any more.')
    const failure = moves.act(world, transaction, as)
    return failure === null ? { notice: DONE[as] } : refused('as', messageOf(failure))
  }
  return {
    'give-back': form(FINANCE, GIVE_BACK, act),
    resolve: form(FINANCE, RESOLVE, act),
    simulate: {
      ...form(DEVELOPERS, SIMULATE, ({ world, params }, { scenario, amount }) => {
        const transaction = page.find(world, params)
        if (transaction === undefined || !Object.hasOwn(moves.scenarios, scenario))
          return refused('scenario', 'Scenario must be one of the list.')
        const failure = moves.play(world, transaction, scenario, amount)
        if (failure === null) return { notice: `The scenario ${scenario} was played.` }
        return refused(amount === '' ? 'scenario' : 'amount', messageOf(failure))
      }),
      only: 'sandbox',
    },
  }
}

interface TransactionProps {
  detail: Detail
  moves: Moves<never> | null
  visit: Visit
}

function Transaction({ detail, moves, visit }: TransactionProps) {
  const { row, result, facts, parts, moments, isSettled } = detail
  return (
    <div class="columns">
      <div class="stack" data-live={isSettled ? undefined : ''}>
        <section class="card">
          <div class="head">
            <p class="amount">{row.amount}</p>
            <Tag badge={row.badge} />
          </div>
          <p>
            <bdi>{row.party}</bdi>
            {row.about === result ? null : (
              <>
                {' · '}
                <bdi>{row.about}</bdi>
              </>
            )}
          </p>
          {result === null ? null : <p class="result">{result}</p>}
        </section>
        {parts === null ? null : <Parts {...parts} path={row.path} visit={visit} />}
        <section class="card">
          <h2>Timeline</h2>
          <Timeline moments={moments} />
        </section>
      </div>
      <div class="stack">
        {moves === null ? null : (
          <>
            <Resolve detail={detail} visit={visit} />
            <GiveBack detail={detail} visit={visit} />
            <Simulate {...moves} visit={visit} />
          </>
        )}
        <section class="card">
          <h2>Details</h2>
          <Facts facts={facts} />
        </section>
      </div>
    </div>
  )
}

type PartsProps = NonNullable<Detail['parts']> & { path: string; visit: Visit }

function Parts({ title, empty, rows, path, visit }: PartsProps) {
  const query = { ...readListQuery(Object.fromEntries(visit.query)), status: '' }
  const listing = pageOf(rows, query.page)
  const isLong = rows.length > ROWS_OF_PAGE
  return (
    <section class="card">
      <h2>{title}</h2>
      {isLong || query.search !== '' ? <Search path={path} query={query} hint="Phone or receipt" /> : null}
      {rows.length === 0 ? <p class="empty">{empty}</p> : null}
      <ul class="parts">
        {listing.rows.map((part) => (
          <PartRow {...part} />
        ))}
      </ul>
      {isLong ? <Pages path={path} query={query} listing={listing} /> : null}
    </section>
  )
}

function PartRow({ title, path, detail, amount, badge, at }: Part) {
  return (
    <li>
      <div class="head">
        {path === null ? <strong>{title}</strong> : <a href={addressOf(path)}>{title}</a>}
        <Tag badge={badge} />
      </div>
      <p>{amount}</p>
      <p class="quiet-text">
        <bdi>{detail}</bdi>
        {' · '}
        <When at={at} />
      </p>
    </li>
  )
}
