// What is known of a model of one kind and size: the description of a file of live/training.py (`described` in
// model/train/browser/ready.py) with that of the kind and of the size in it.
export function chosen({ kinds, ...common }, kind, size) {
  const { models, ...own } = kinds[kind];
  return { ...common, ...own, ...models[size], kind, size };
}
