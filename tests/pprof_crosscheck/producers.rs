//! The shapes that producers in several languages write: what they name, what they leave out, how they inline.

use flarescope::formats;

use super::check::{Compared, Options, check, in_file};
use super::labels::GRANULARITIES;
use super::reference::Pprof;
use super::wire::{Function, Tag, Writer};

const CPU: &[(&str, &str)] = &[("samples", "count"), ("cpu", "nanoseconds")];
const MS: i64 = 1_000_000;

/// Go: addresses in a mapping, inlined lines, a location for each call site, text and number tags.
fn go() -> Vec<u8> {
    let mut w = Writer::new(CPU);
    w.period("cpu", "nanoseconds", 10 * MS);
    w.mapping(1, 0x40_0000, 0x60_0000, "/srv/bin/shop", "go-build-1");
    w.mapping(2, 0x7fff_0000, 0x7fff_2000, "[vdso]", "");
    for (id, name, file, start) in [
        (1, "runtime.main", "/usr/lib/go/src/runtime/proc.go", 145),
        (2, "main.main", "/srv/shop/main.go", 10),
        (
            3,
            "example.com/shop/cart.(*Cart).Total",
            "/srv/shop/cart/cart.go",
            30,
        ),
        (
            4,
            "example.com/shop/cart.add[...]",
            "/srv/shop/cart/cart.go",
            60,
        ),
        (5, "main.main.func1", "/srv/shop/main.go", 14),
        (
            6,
            "runtime.mallocgc",
            "/usr/lib/go/src/runtime/malloc.go",
            900,
        ),
        (
            7,
            "slices.SortFunc[go.shape.[]example.com/shop/cart.Item]",
            "/usr/lib/go/src/slices/sort.go",
            20,
        ),
    ] {
        w.function(id, &Function(name, name, file, start));
    }
    w.location(1, 1, 0x40_1000, &[(1, 250)], false);
    w.location(2, 1, 0x40_2000, &[(2, 12)], false);
    w.location(3, 1, 0x40_2040, &[(5, 15), (2, 14)], false);
    w.location(4, 1, 0x40_3000, &[(4, 61), (3, 33)], false);
    w.location(5, 1, 0x40_3010, &[(4, 62), (3, 35)], false);
    w.location(6, 1, 0x40_4000, &[(6, 910)], false);
    w.location(7, 1, 0x40_5000, &[(7, 22)], false);
    w.location(8, 2, 0x7fff_0100, &[], false);
    let route = |route| {
        [
            ("route", Tag::Text(route)),
            ("bytes", Tag::Number(512, "bytes")),
        ]
    };
    w.sample(&[4, 2, 1], &[3, 30 * MS], &route("/cart"));
    w.sample(&[5, 2, 1], &[2, 20 * MS], &route("/cart"));
    w.sample(&[6, 4, 3, 1], &[5, 50 * MS], &route("/pay"));
    w.sample(&[7, 7, 7, 5, 3, 1], &[4, 40 * MS], &[]);
    w.sample(&[8, 3, 1], &[1, 10 * MS], &route("/"));
    w.sample(&[6], &[1, 10 * MS], &[]);
    w.finish()
}

/// Go's heap: the type to show comes third, what the allocator itself does is dropped.
fn go_heap() -> Vec<u8> {
    let mut w = Writer::new(&[
        ("alloc_objects", "count"),
        ("alloc_space", "bytes"),
        ("inuse_objects", "count"),
        ("inuse_space", "bytes"),
    ]);
    w.named(
        7,
        r"runtime\.(mallocgc|newobject)|bytes\.\(\*Buffer\)\.grow",
    );
    w.named(8, r"bytes\.\(\*Buffer\)\.growSlice");
    w.named(14, "inuse_space");
    w.period("space", "bytes", 524_288);
    for (id, name) in [
        (1, "main.main"),
        (2, "bytes.(*Buffer).Write"),
        (3, "bytes.(*Buffer).grow"),
        (4, "runtime.mallocgc"),
        (5, "bytes.(*Buffer).growSlice"),
    ] {
        w.function(id, &Function(name, name, "buffer.go", 0));
    }
    w.location(1, 0, 0x1000, &[(1, 5)], false);
    w.location(2, 0, 0x1010, &[(3, 130), (2, 170)], false);
    w.location(3, 0, 0x1020, &[(4, 1)], false);
    w.location(4, 0, 0x1030, &[(5, 220)], false);
    w.sample(
        &[3, 2, 1],
        &[10, 10_240, 0, 0],
        &[("bytes", Tag::Number(1024, "bytes"))],
    );
    w.sample(
        &[4, 2, 1],
        &[4, 65_536, 1, 16_384],
        &[("bytes", Tag::Number(16_384, "bytes"))],
    );
    w.sample(&[3, 1], &[7, 700, 7, 700], &[]);
    w.sample(&[3], &[1, 100, 0, 0], &[]);
    w.finish()
}

/// Java: no mapping, no addresses; overloads and lambdas by name; tags for threads; several events in one file.
fn java() -> Vec<u8> {
    let mut w = Writer::new(&[
        ("cpu", "nanoseconds"),
        ("wall", "nanoseconds"),
        ("alloc-samples", "count"),
        ("alloc-size", "bytes"),
    ]);
    let names = [
        ("java.lang.Thread.run", "Thread.java"),
        ("com.acme.shop.Cart.<init>", "Cart.java"),
        ("com.acme.shop.Cart.add(int)", "Cart.java"),
        ("com.acme.shop.Cart.add(java.lang.String)", "Cart.java"),
        ("com.acme.shop.Cart$$Lambda/0x0000000801.apply", ""),
        ("com.acme.admin.Cart.add(int)", "Cart.java"),
        ("jdk.internal.misc.Unsafe.park", ""),
        ("[not_walkable]", ""),
    ];
    for (at, (name, file)) in (1..).zip(names) {
        w.function(at, &Function(name, "", file, 0));
        w.location(at, 0, 0, &[(at, 10 * i64::try_from(at).unwrap())], false);
    }
    w.location(20, 0, 0, &[(3, 31)], false);
    let thread = |name| {
        [
            ("thread name", Tag::Text(name)),
            ("thread id", Tag::Number(17, "")),
        ]
    };
    w.sample(&[3, 2, 1], &[20 * MS, 20 * MS, 0, 0], &thread("worker-1"));
    w.sample(&[4, 2, 1], &[10 * MS, 10 * MS, 0, 0], &thread("worker-2"));
    w.sample(&[20, 5, 2, 1], &[0, 0, 3, 4_096], &thread("worker-2"));
    w.sample(&[6, 5, 1], &[5 * MS, 5 * MS, 1, 24], &thread("main"));
    w.sample(&[7, 1], &[0, 900 * MS, 0, 0], &thread("idle"));
    w.sample(&[8], &[MS, MS, 0, 0], &[]);
    w.finish()
}

/// .NET: modules before names, arguments in them, no files, no lines.
fn dotnet() -> Vec<u8> {
    let mut w = Writer::new(&[("time", "milliseconds")]);
    w.mapping(1, 0, 0, "System.Private.CoreLib.dll", "");
    w.mapping(2, 0, 0, "Shop.Web.dll", "");
    for (id, name) in [
        (1, "Shop.Web!Shop.Program.Main(class System.String[])"),
        (2, "Shop.Web!Shop.Cart.Add(class System.String,int32)"),
        (3, "Shop.Web!Shop.Cart.Add(int32)"),
        (
            4,
            "System.Private.CoreLib!System.Collections.Generic.List`1[System.__Canon].Add(!0)",
        ),
        (
            5,
            "System.Private.CoreLib!System.Runtime.CompilerServices.AsyncMethodBuilderCore.Start(!!0&)",
        ),
    ] {
        w.function(id, &Function(name, name, "", 0));
        w.location(id, if id > 3 { 1 } else { 2 }, 0, &[(id, 0)], false);
    }
    w.sample(&[4, 2, 1], &[12], &[]);
    w.sample(&[4, 3, 5, 1], &[7], &[]);
    w.sample(&[3, 5, 5, 1], &[1], &[]);
    w.sample(&[2, 2, 1], &[0], &[]);
    w.finish()
}

/// Python: the same short names in many files, a start line but no inlining.
fn python() -> Vec<u8> {
    let mut w = Writer::new(&[("sample", "count"), ("wall", "microseconds")]);
    for (at, (name, file, start)) in (1..).zip([
        ("<module>", "/app/main.py", 1),
        ("<module>", "/app/shop/__init__.py", 1),
        ("<listcomp>", "/app/shop/cart.py", 12),
        ("<listcomp>", "/app/shop/cart.py", 40),
        ("<lambda>", "/app/shop/cart.py", 44),
        ("add", "/app/shop/cart.py", 30),
        ("add", "/app/../app/shop/cart.py", 30),
        ("add", "/app/shop/stock.py", 30),
        (
            "__call__",
            "/usr/lib/python3/site-packages/flask/app.py",
            2_200,
        ),
    ]) {
        w.function(at, &Function(name, name, file, start));
        w.location(at, 0, 0, &[(at, start + 1)], false);
    }
    for (count, stack) in (1..).zip([
        &[3, 6, 9, 1][..],
        &[4, 6, 9, 1],
        &[5, 4, 7, 9, 1],
        &[8, 9, 9, 1],
        &[2, 1],
        &[6, 8, 6, 9, 1],
    ]) {
        w.sample(
            stack,
            &[count, count * 10_000],
            &[("thread_id", Tag::Number(140_735, ""))],
        );
    }
    w.finish()
}

/// Rust: names with generics beside mangled ones, deep inlining at one address, closures, a file of the compiler's.
fn rust() -> Vec<u8> {
    let mut w = Writer::new(CPU);
    let core = "/rustc/90b35a6/library/core/src/ops/function.rs";
    for (id, name, system, file, start) in [
        (
            1,
            "shop::main",
            "_ZN4shop4main17h0e1d2c3b4a596877E",
            "src/main.rs",
            3,
        ),
        (
            2,
            "shop::cart::Cart<T>::add",
            "_ZN4shop4cart13Cart$LT$T$GT$3add17h1E",
            "src/cart.rs",
            10,
        ),
        (
            3,
            "shop::cart::Cart<T>::add::{{closure}}",
            "_ZN4shop4cart3add28_$u7b$$u7b$closure$u7d$$u7d$17h2E",
            "src/cart.rs",
            12,
        ),
        (
            4,
            "core::ops::function::FnOnce::call_once{{vtable.shim}}",
            "_ZN4core3ops8function6FnOnce9call_once17h3E",
            core,
            250,
        ),
        (
            5,
            "<alloc::vec::Vec<T,A> as core::iter::Extend<T>>::extend",
            "_ZN85_$LT$alloc..vec$u20$as$GT$6extend17h4E",
            "/rustc/90b35a6/library/alloc/src/vec/mod.rs",
            2_900,
        ),
        (6, "__libc_start_main", "__libc_start_main", "", 0),
    ] {
        w.function(id, &Function(name, system, file, start));
    }
    w.location(10, 0, 0x5555_0010, &[(6, 0)], false);
    w.location(11, 0, 0x5555_0020, &[(4, 250), (1, 4)], false);
    w.location(
        12,
        0,
        0x5555_0030,
        &[(5, 2_910), (3, 13), (2, 11), (1, 6)],
        false,
    );
    w.location(13, 0, 0x5555_0040, &[(3, 14), (2, 15)], false);
    w.location(14, 0, 0x5555_0050, &[(2, 11), (2, 11)], false);
    w.sample(
        &[12, 11, 10],
        &[7, 7 * MS],
        &[("thread-name", Tag::Text("main"))],
    );
    w.sample(&[13, 12, 11, 10], &[3, 3 * MS], &[]);
    w.sample(&[14, 13, 11, 10], &[2, 2 * MS], &[]);
    w.sample(&[10], &[1, MS], &[]);
    w.finish()
}

/// C++: mangled names, the kernel, a library without symbols, folded code, an allocator to be pruned with its callees.
fn cpp() -> Vec<u8> {
    let mut w = Writer::new(&[("samples", "count"), ("cpu", "microseconds")]);
    w.named(
        7,
        r"operator new|(anonymous namespace)::Pool::.*|tcmalloc::.*",
    );
    w.named(8, r"tcmalloc::keep.*");
    w.comment("perf record -g");
    w.mapping(
        3,
        0xffff_8000_0000_0000,
        0xffff_ffff_ffff_ffff,
        "[kernel.kallsyms]_text",
        "",
    );
    w.mapping(7, 0x40_0000, 0x80_0000, "/opt/shop/bin/shop-server", "b1");
    w.mapping(9, 0x7f00_0000, 0x7f10_0000, "/usr/lib/libssl.so.3", "b2");
    for (id, name, file) in [
        (1, "main", "shop/main.cc"),
        (2, "shop::Cart::add(std::string const&)", "shop/cart.cc"),
        (3, "shop::Cart::add(int)", "shop/cart.cc"),
        (4, "operator new(unsigned long)", ""),
        (
            5,
            "tcmalloc::allocate<std::less<int> >(unsigned long)",
            "tcmalloc/alloc.h",
        ),
        (6, "tcmalloc::keep_this", "tcmalloc/alloc.h"),
        (7, "(anonymous namespace)::Pool::get()", "shop/pool.cc"),
        (8, "page_fault", ""),
        (
            9,
            "std::vector<shop::Item, std::allocator<shop::Item> >::operator[](unsigned long)",
            "/usr/include/c++/12/bits/stl_vector.h",
        ),
    ] {
        w.function(id, &Function(name, name, file, 0));
    }
    w.location(100, 7, 0x40_0100, &[(1, 20)], false);
    w.location(101, 7, 0x40_0200, &[(9, 1_040), (2, 33)], true);
    w.location(102, 7, 0x40_0300, &[(3, 44)], false);
    w.location(103, 7, 0x40_0400, &[(5, 8), (4, 0)], false);
    w.location(104, 7, 0x40_0500, &[(4, 0), (7, 12), (3, 45)], false);
    w.location(105, 7, 0x40_0600, &[(6, 2)], false);
    w.location(106, 3, 0xffff_8000_0000_1000, &[(8, 0)], false);
    w.location(107, 9, 0x7f00_1000, &[], false);
    w.location(108, 9, 0x7f00_2000, &[], false);
    for (count, stack) in (1..).zip([
        &[101, 100][..],
        &[103, 101, 100],
        &[106, 103, 102, 100],
        &[106, 104, 100],
        &[105, 102, 100],
        &[107, 102, 100],
        &[108, 107, 100],
        &[103],
        &[106, 105, 103, 100],
    ]) {
        w.sample(stack, &[count, count * 1_000], &[]);
    }
    w.finish()
}

/// Node: names that stand for the engine, functions without names, files as addresses of modules.
fn node() -> Vec<u8> {
    let mut w = Writer::new(&[("sample", "count"), ("wall", "nanoseconds")]);
    w.period("wall", "nanoseconds", 10 * MS);
    for (at, (name, file, start)) in (1..).zip([
        ("(root)", "", 0),
        ("(anonymous)", "file:///app/index.mjs", 1),
        ("(anonymous)", "file:///app/index.mjs", 30),
        ("handle", "file:///app/index.mjs", 30),
        (
            "get cart",
            "file:///app/node_modules/@shop/cart/index.js",
            4,
        ),
        (
            "processTicksAndRejections",
            "node:internal/process/task_queues",
            67,
        ),
        ("(garbage collector)", "", 0),
        ("(program)", "", 0),
        ("", "file:///app/anonymous.js", 9),
        ("", "", 0),
    ]) {
        w.function(at, &Function(name, name, file, start));
        w.location(at, 0, 0, &[(at, start + 2)], false);
    }
    let spans = [
        ("span id", Tag::Text("42")),
        ("local root span id", Tag::Text("7")),
    ];
    for (count, stack) in (1..).zip([
        &[4, 3, 2, 1][..],
        &[5, 4, 6, 1],
        &[7, 1],
        &[8, 1],
        &[9, 4, 6, 1],
        &[10, 9, 1],
        &[3, 9, 3, 1],
    ]) {
        w.sample(
            stack,
            &[count, count * 10 * MS],
            if count % 2 == 0 { &spans } else { &[] },
        );
    }
    w.finish()
}

/// A difference: what went away counts below zero, and some functions come out at nothing.
fn difference() -> Vec<u8> {
    let mut w = Writer::new(&[("inuse_objects", "count"), ("inuse_space", "bytes")]);
    for (id, name) in [
        (1, "main"),
        (2, "grows"),
        (3, "shrinks"),
        (4, "stays"),
        (5, "shared"),
    ] {
        w.function(id, &Function(name, name, "app.go", 0));
        w.location(id, 0, 0x10 * id, &[(id, 3)], false);
    }
    w.sample(&[5, 2, 1], &[10, 4_096], &[]);
    w.sample(&[5, 3, 1], &[-7, -8_192], &[]);
    w.sample(&[4, 1], &[5, 100], &[]);
    w.sample(&[4, 1], &[-5, -100], &[("pprof::base", Tag::Text("yes"))]);
    w.sample(&[5], &[-3, 0], &[]);
    w.finish()
}

/// Values of a kind the reference has no unit for, with ids from the whole range.
fn odd() -> Vec<u8> {
    let mut w = Writer::new(&[
        ("widgets", "furlongs"),
        ("events", "count"),
        ("widgets", "count"),
    ]);
    w.named(14, "events");
    for (id, name, file) in [
        (u64::MAX, "last", "z.x"),
        (1 << 40, "middle", "./a//b.x"),
        (3, "low", "a/b.x"),
    ] {
        w.function(id, &Function(name, "", file, 1 << 33));
        w.location(id, 0, u64::MAX, &[(id, i64::from(i32::MAX))], false);
    }
    w.sample(&[3, 1 << 40, u64::MAX], &[1 << 40, 1, 0], &[]);
    w.sample(&[u64::MAX, u64::MAX], &[-(1 << 39), 1, 5], &[]);
    w.sample(&[], &[77, 7, 7], &[]);
    w.finish()
}

pub(crate) fn shapes_of_every_producer_are_the_same() {
    let pprof = Pprof::find();
    let sets: &[&[(&'static str, &str)]] = &[
        &[],
        &[("focus", r"(?i)cart\b")],
        &[("focus", r"add\((int|class)")],
        &[("ignore", r"Pool|mallocgc|<listcomp>|\{\{")],
        &[("hide", r"^(main|runtime|java)\.|::")],
        &[("hide", r"\.(go|java|py|rs|cc|mjs)$")],
        &[("show_from", r"[Cc]art|handle|shop::")],
        &[("show_from", "shop-server|CoreLib"), ("hide", "ssl|alloc")],
        &[("focus", "libssl|vdso|kernel")],
        &[("tagfocus", "route=^/(cart|pay)")],
        &[("tagfocus", "thread")],
        &[("tagignore", "bytes=1kb:")],
        &[("tagfocus", "16:200000"), ("ignore", "stock")],
        &[("focus", "."), ("tagignore", "span id:4")],
    ];
    let sets: Vec<Options> = sets
        .iter()
        .map(|set| {
            set.iter()
                .map(|(name, text)| (*name, (*text).to_owned()))
                .collect()
        })
        .collect();
    let mut compared = Compared::default();
    for (name, bytes) in [
        ("Go", go()),
        ("Go's heap", go_heap()),
        ("Java", java()),
        (".NET", dotnet()),
        ("Python", python()),
        ("Rust", rust()),
        ("C++", cpp()),
        ("Node", node()),
        ("a difference", difference()),
        ("odd", odd()),
    ] {
        let profile = formats::read(bytes.as_slice(), name).unwrap();
        let file = in_file(&bytes);
        let before = compared.tables;
        compared += check(&pprof, file.path(), &profile, &sets, &GRANULARITIES, name);
        assert!(compared.tables > before, "the reference refuses {name}");
    }
    assert!(
        compared.tables > 900 && compared.filtered > 300,
        "only {compared:?}"
    );
}
