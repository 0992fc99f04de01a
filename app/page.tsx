export default function HomePage() {
  return <main>Belay</main>
}
