import type { components, paths } from "./schema.js";
export type Schemas = components["schemas"];
export type Event = Schemas["Event"];
export type Method = "delete" | "get" | "patch" | "post" | "put";
/** The paths that have an operation with this method. */
export type PathsWith<M extends Method> = {
    [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];
export type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M & keyof paths[P]]>;
type PathParameters<O> = O extends {
    parameters: {
        path: infer T;
    };
} ? T : never;
type Query<O> = O extends {
    parameters: {
        query?: infer T;
    };
} ? WithoutFields<NonNullable<T>> : never;
/** The parameter `fields` changes the type of the records: `only` sends it. */
type WithoutFields<Q> = [Q] extends [never] ? never : Omit<Q, "fields">;
type Body<O> = O extends {
    requestBody?: {
        content: {
            "application/json": infer T;
        };
    };
} ? T : never;
type Responses<O> = O extends {
    responses: infer T;
} ? T : never;
/** The body of the answer, with its envelope. */
export type Answer<O> = {
    [S in keyof Responses<O>]: S extends 200 | 201 | 202 ? Responses<O>[S] extends {
        content: {
            "application/json": infer T;
        };
    } ? T : undefined : S extends 204 ? undefined : never;
}[keyof Responses<O>];
export interface Page<R> {
    data: R[];
    links: {
        next: string | null;
    };
    meta: {
        per_page: number;
    };
}
/** A record without its envelope, or a page of a list as it comes. */
export type Result<O> = Answer<O> extends {
    meta: unknown;
} ? Answer<O> : Unwrapped<Answer<O>>;
type Unwrapped<A> = A extends {
    data: infer T;
} ? T : A;
/** The paths that answer with pages. */
export type ListPaths = {
    [P in PathsWith<"get">]: Answer<Operation<P, "get">> extends {
        meta: unknown;
    } ? P : never;
}[PathsWith<"get">];
export type PageOf<P extends ListPaths> = Answer<Operation<P, "get">> & Page<RecordOf<P>>;
export type RecordOf<P extends ListPaths> = Answer<Operation<P, "get">> extends {
    data: (infer R)[];
} ? R : never;
type Required_<Name extends string, T> = [T] extends [never] ? unknown : Record<Name, T>;
type Optional<Name extends string, T> = [T] extends [never] ? unknown : {
    [N in Name]?: T;
};
type QueryOption<T> = [T] extends [never] ? unknown : object extends T ? {
    query?: T;
} : {
    query: T;
};
export interface CallOptions {
    /** Stops waiting, also between two attempts. */
    signal?: AbortSignal;
    /** More headers, such as `Accept-Language`. */
    headers?: Record<string, string>;
}
export interface WriteOptions extends CallOptions {
    /** The same key makes the same write once. Default: a random one for each call, kept for all its attempts. */
    idempotencyKey?: string;
    /** Answers what the write would answer, and writes nothing. `request` also returns the events, as `dry_run`. */
    dryRun?: boolean;
}
export type ReadInput<O> = CallOptions & Required_<"path", PathParameters<O>> & QueryOption<Query<O>>;
/** Of any method. */
export type AnyInputOf<M extends Method, O> = M extends "get" ? ReadInput<O> : WriteInput<O>;
export type WriteInput<O> = WriteOptions & Required_<"path", PathParameters<O>> & QueryOption<Query<O>> & (O extends {
    requestBody: unknown;
} ? Required_<"body", Body<O>> : Optional<"body", Body<O>>);
/** The last parameter can be left out if nothing in it is required. */
export type Input<I> = object extends I ? [input?: I] : [input: I];
export {};
