import { expect, test } from 'vitest'

import { createCommitGroup } from '../../../server/store/sqlite/commit-group.ts'
import { openDatabase } from '../../../server/store/sqlite/database.ts'
import { createRunner } from '../../../server/store/sqlite/runner.ts'
import { systemClock } from '../../../server/work/clock.ts'

function open() {
  const database = openDatabase(':memory:')
  database.exec('CREATE TABLE notes (text TEXT NOT NULL)')
  const { run } = createRunner(database, [], () => {})
  const begun: string[] = []
  const group = createCommitGroup((sql, ...values) => {
    if (sql.startsWith('BEGIN')) {
      begun.push(sql)
    }
    return run(sql, ...values)
  }, systemClock)
  const texts = () =>
    database
      .prepare('SELECT text FROM notes ORDER BY rowid')
      .all()
      .map((row) => Object.values(row)[0])
  return {
    database,
    group,
    begun,
    texts,
    write: (text: string) => group.add(() => run('INSERT INTO notes VALUES ($1)', text).length),
  }
}

test('writes of one turn share one commit', async () => {
  const { begun, texts, write } = open()
  expect(await Promise.all([write('a'), write('b'), write('c')])).toEqual([0, 0, 0])
  expect({ begun: begun.length, texts: texts() }).toEqual({ begun: 1, texts: ['a', 'b', 'c'] })
})

test('a write that fails rejects alone, and the others of its group are stored', async () => {
  const { group, texts, write } = open()
  const failing = group.add(() => {
    throw new Error('A damaged row.')
  })
  const results = await Promise.allSettled([write('a'), failing, write('b')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(texts()).toEqual(['a', 'b'])
})

test('a write after which SQLite rolls back by itself, as on a full disk, rejects alone', async () => {
  const { database, group, texts, write } = open()
  const failing = group.add(() => {
    database.exec('ROLLBACK')
    throw new Error('The disk is full.')
  })
  const results = await Promise.allSettled([write('a'), failing, write('b')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(texts()).toEqual(['a', 'b'])
})

test('a commit waits for a locked file as long as the one before it did', async () => {
  let busy = 0

  const run: Parameters<typeof createCommitGroup>[0] = (sql) => {
    if (!sql.startsWith('BEGIN') || busy === 0) {
      return []
    }

    busy -= 1
    throw Object.assign(new Error('database is locked'), { errcode: 5 })
  }

  const group = createCommitGroup(run, { now: () => 0, sleep: async () => {} })
  for (const waits of [400, 400]) {
    busy = waits
    expect(await group.add(() => 'written')).toBe('written')
  }
})
