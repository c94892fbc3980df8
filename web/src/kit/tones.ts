/** The one map from a dictionary's entries to the tone they are shown in. What is not named here is quiet. */

export type Tone = 'quiet' | 'active' | 'waiting' | 'good' | 'bad' | 'off';

const TONES: Readonly<Record<string, Readonly<Record<string, Tone>>>> = {
  machine_run_state: { 1: 'good', 2: 'quiet', 3: 'bad', 4: 'active', 5: 'active', 6: 'off', 7: 'off' },
  repair_status: { 1: 'quiet', 2: 'quiet', 3: 'active', 4: 'waiting', 5: 'waiting', 6: 'good', 7: 'off' },
  repair_urgency: { 1: 'bad', 2: 'waiting', 3: 'quiet' },
  leave_status: { 1: 'quiet', 2: 'active', 3: 'good', 4: 'bad', 5: 'off' },
  config_status: { 1: 'quiet', 2: 'good', 3: 'off' },
  rest_status: { 1: 'quiet', 2: 'bad', 3: 'good', 4: 'off' },
  job_status: { 0: 'off', 1: 'good' },
  job_log_status: { 1: 'active', 2: 'good', 3: 'bad', 4: 'bad', 5: 'off' },
  inspect_order_status: { 1: 'quiet', 2: 'active', 3: 'good', 4: 'bad', 5: 'off', 6: 'off' },
  inspect_detail_status: { 1: 'quiet', 2: 'good', 3: 'bad', 4: 'off', 5: 'waiting' },
  inspect_result: { 1: 'good', 2: 'waiting', 3: 'bad', 4: 'off' },
  spare_use_status: { 1: 'quiet', 2: 'active', 3: 'waiting', 4: 'good', 5: 'bad', 6: 'off', 7: 'off' },
  stock_state: { 1: 'good', 2: 'waiting', 3: 'bad', 4: 'active' },
  maintain_status: { 1: 'quiet', 2: 'active', 3: 'waiting', 4: 'good', 5: 'off' },
  maintain_result: { 1: 'good', 2: 'bad', 3: 'off', 4: 'waiting' },
  check_result: { 1: 'good', 2: 'bad' },
};

export function toneOf(dictionary: string, value: string | number | null | undefined): Tone {
  return TONES[dictionary]?.[String(value)] ?? 'quiet';
}
