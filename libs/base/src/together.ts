/**
 * Lets calls of one turn of the event loop be one call: each gets the answer at the position of its item.
 * @param run answers for all items, in their order; when it fails all of the calls do
 */
export function together<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  let gathering: { readonly items: Item[]; readonly answers: Promise<readonly Answer[]> } | undefined;
  const begin = () => {
    const items: Item[] = [];
    const answers = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      gathering = undefined;
      return run(items);
    });
    return { items, answers };
  };
  return async (item) => {
    const { items, answers } = (gathering ??= begin());
    const position = items.push(item) - 1;
    return (await answers)[position] as Answer;
  };
}
