/** An item of a {@link LinkedList}, which sets these fields. */
export interface Linked<Item> {
  previous?: Item | undefined;
  next?: Item | undefined;
}

/** Items in the order added, each removed in constant time: arrays move, sets and maps skip, what was removed before. */
export class LinkedList<Item extends Linked<Item>> {
  #first: Item | undefined;
  #last: Item | undefined;
  #size = 0;

  get first(): Item | undefined {
    return this.#first;
  }

  get size(): number {
    return this.#size;
  }

  /** @param item - It must not be in a list. */
  push(item: Item): void {
    item.previous = this.#last;
    item.next = undefined;
    if (this.#last) this.#last.next = item;
    else this.#first = item;
    this.#last = item;
    this.#size++;
  }

  /** Removes an item of this list. It keeps its `next`, so that an iteration that has reached it goes on. */
  remove({ previous, next }: Item): void {
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    this.#size--;
  }

  *[Symbol.iterator](): Generator<Item, undefined> {
    for (let item = this.#first; item; item = item.next) yield item;
  }
}
