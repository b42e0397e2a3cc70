// Says of each expression in which names Go finds it: a line of 0 and 1, or `refused`. Everything is read in hexadecimal:
// the names on the first line, then an expression a line.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"strings"
)

func text(digits string) string {
	bytes, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return string(bytes)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	lines.Scan()
	var names []string
	for _, digits := range strings.Split(lines.Text(), " ") {
		names = append(names, text(digits))
	}
	for lines.Scan() {
		expression, err := regexp.Compile(text(lines.Text()))
		if err != nil {
			fmt.Println("refused")
			continue
		}
		found := ""
		for _, name := range names {
			if expression.MatchString(name) {
				found += "1"
			} else {
				found += "0"
			}
		}
		fmt.Println(found)
	}
}
