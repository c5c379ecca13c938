// The sound of the alarm: two short tones, made by the browser.
let audio: AudioContext | undefined

/** To be called by a press once, because browsers keep a page silent until then. */
export function wakeSound(): void {
  audio ??= new AudioContext()
  void audio.resume()
}

/** Resolves to nothing where the browser keeps the page silent. */
export function playAlarm(): void {
  wakeSound()
  if (audio === undefined) return
  const start = audio.currentTime
  for (const [at, hertz] of [
    [0, 880],
    [0.18, 1174.7],
  ] as const)
    tone(audio, start + at, hertz)
}

function tone(context: AudioContext, at: number, hertz: number): void {
  const [oscillator, volume] = [context.createOscillator(), context.createGain()]
  oscillator.frequency.value = hertz
  // Swells and fades within milliseconds: a tone that starts at once clicks.
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(0.2, at + 0.01)
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.16)
  oscillator.connect(volume).connect(context.destination)
  oscillator.start(at)
  oscillator.stop(at + 0.17)
}
