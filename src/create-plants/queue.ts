/** First in, first out. Of a long array, `shift` would move every other item. */
export class Queue<Item> {
  /** The newest last. */
  #added: Item[] = [];
  /** The oldest last. */
  #next: Item[] = [];

  get length(): number {
    return this.#added.length + this.#next.length;
  }

  push(item: Item): void {
    this.#added.push(item);
  }

  shift(): Item | undefined {
    if (this.#next.length === 0) [this.#next, this.#added] = [this.#added.reverse(), this.#next];
    return this.#next.pop();
  }
}
