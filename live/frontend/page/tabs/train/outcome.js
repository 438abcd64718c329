// What came of a change: two runs, judged by the same words after the same number of steps.

export const MARGIN = 0.02; // a share that differs by no more counts as the same

// { step, before, now, change }: the shares right at the last step at which both runs were measured; null without one.
export function outcome(run, before) {
  const measured = Object.fromEntries(before.points("exact_held_out"));
  const [step, now] = run.points("exact_held_out").findLast(([at]) => at > 0 && at in measured) ?? [];
  if (step === undefined) return null;
  const difference = now - measured[step];
  const change = Math.abs(difference) <= MARGIN ? "same" : difference > 0 ? "more" : "fewer";
  return { step, before: measured[step], now, change };
}
