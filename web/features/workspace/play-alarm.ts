// Alarm sound: two short tones from the Web Audio API.
let audio: AudioContext | undefined

/** Call once from a user gesture, because browsers block audio until then. */
export function unlockAudio(): void {
  audio ??= new AudioContext()
  void audio.resume()
}

/** Does nothing while the browser blocks audio. */
export function playAlarm(): void {
  unlockAudio()
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
  // Short fade in and out: a tone without a ramp clicks.
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(0.2, at + 0.01)
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.16)
  oscillator.connect(volume).connect(context.destination)
  oscillator.start(at)
  oscillator.stop(at + 0.17)
}
