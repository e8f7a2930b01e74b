/** SQL files are bundled as their text. */
declare module '*.sql?raw' {
  const sql: string
  export default sql
}
