export const metadata = { title: 'Pwani Goods' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body
        style={{
          maxWidth: '30rem',
          margin: '3rem auto',
          padding: '0 1rem',
          fontFamily: 'system-ui, sans-serif',
        }}
      >
        {children}
      </body>
    </html>
  )
}
