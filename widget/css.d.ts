/** The text of a style sheet, which Vite minifies in a build. */
declare module '*.css?inline' {
  const text: string
  export default text
}
