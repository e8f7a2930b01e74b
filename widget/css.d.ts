/** The text of a style sheet. Vite reads the file and minifies it in a build. */
declare module '*.css?inline' {
  const text: string
  export default text
}
