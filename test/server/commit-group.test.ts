import { expect, test } from 'vitest'
import { systemClock } from '../../server/clock.ts'
import { CommitGroup } from '../../server/store/sqlite/commit-group.ts'
import { openDatabase } from '../../server/store/sqlite/database.ts'
import { migrate } from '../../server/store/sqlite/schema.ts'
import { prepareStatements } from '../../server/store/sqlite/statements.ts'

function open() {
  const database = openDatabase(':memory:')
  migrate(database)
  database.exec('CREATE TABLE notes (text TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO notes VALUES (?)')
  const commits = { begun: 0, rolledBack: 0 }
  const group = new CommitGroup(
    prepareStatements(database, () => {}),
    () => void commits.begun++,
    () => void commits.rolledBack++,
    systemClock,
  )
  const texts = () =>
    database
      .prepare('SELECT text FROM notes ORDER BY rowid')
      .all()
      .map((row) => Object.values(row)[0])
  return {
    database,
    group,
    commits,
    texts,
    write: (text: string) => group.add(() => insert.run(text).changes),
  }
}

test('writes of one turn share one commit', async () => {
  const { commits, texts, write } = open()
  expect(await Promise.all([write('a'), write('b'), write('c')])).toEqual([1, 1, 1])
  expect([commits.begun, texts()]).toEqual([1, ['a', 'b', 'c']])
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
